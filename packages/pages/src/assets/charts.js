// Draws each chart of a page from the table beside it. Empty cells are gaps. The figures that are shown are the table's own text.
(() => {
  /** By the figure: what is drawn, and of which data. */
  const drawn = new Map();
  const heightOf = (figure) => (figure.dataset.small === undefined ? 280 : 180);
  const seriesColors = ['--accent', '--teal', '--violet', '--note'];

  const sizes = new ResizeObserver(() => {
    for (const [figure, { plot }] of drawn) {
      const width = widthOf(figure);
      if (width !== plot.width) plot.setSize({ width, height: heightOf(figure) });
    }
  });

  if (globalThis.uPlot === undefined) {
    for (const figures of document.querySelectorAll('figure[data-chart] details')) figures.open = true;
    return;
  }
  drawAll();
  document.addEventListener('figures-refreshed', drawAll);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  /** What is gone is forgotten; in other colours, all is drawn again. */
  function drawAll({ type } = {}) {
    for (const [figure, { plot }] of [...drawn])
      if (type === 'change' || !figure.isConnected) {
        sizes.unobserve(figure);
        plot.destroy();
        drawn.delete(figure);
      }
    for (const figure of document.querySelectorAll('figure[data-chart]')) draw(figure);
  }

  /** That of the place of the drawing: what is wider is hidden, and with it the latest figures. */
  function widthOf(figure) {
    return Math.max(200, figure.querySelector('.plot').clientWidth);
  }

  /** The rows of the table: seconds of each moment, and of each series the numbers and the texts. */
  function readTable(figure) {
    const names = [...figure.querySelectorAll('thead th')].slice(1).map((cell) => cell.textContent.trim());
    // Once the chart is drawn, its legend is a table too.
    const rows = [...figure.querySelectorAll('details tbody tr')];
    const times = rows.map((row) => Date.parse(row.querySelector('time').dateTime) / 1000);
    const cells = names.map((_, index) => rows.map((row) => row.cells[index + 1]));
    const figures = cells.map((column) => column.map((cell) => cell.querySelector('data')));
    return {
      names,
      moments: rows.map((row) => row.querySelector('time').textContent.trim()),
      data: [
        times,
        ...figures.map((column) => column.map((data) => (data === null ? null : Number(data.value)))),
      ],
      texts: cells.map((column) => column.map((cell) => cell.textContent.trim())),
    };
  }

  function draw(figure) {
    const table = readTable(figure);
    const known = drawn.get(figure);
    if (table.data[0].length < 2) return;
    const shape = JSON.stringify([table.names, figure.dataset.chart, figure.dataset.unit]);
    const content = JSON.stringify(table);
    if (known?.content === content) return;
    if (known?.shape === shape) {
      // The same chart with other figures: no new canvas, so that nothing flickers.
      Object.assign(known, { table, content });
      known.plot.setData(table.data);
      return;
    }
    known?.plot.destroy();
    const place = figure.querySelector('.plot');
    place.replaceChildren();
    place.hidden = false;
    const chart = { table, content, shape, plot: null };
    drawn.set(figure, chart);
    chart.plot = new globalThis.uPlot(optionsOf(figure, chart), table.data, place);
    sizes.observe(figure);
  }

  function optionsOf(figure, chart) {
    const font = `12px ${getComputedStyle(figure).fontFamily}`;
    // The property names one colour for light screens and one for dark ones: an element gets the one that holds.
    const place = figure.querySelector('.plot');
    const color = (name) => {
      place.style.color = `var(${name})`;
      const shown = getComputedStyle(place).color;
      place.style.color = '';
      return shown;
    };
    const axis = { stroke: color('--grey-600'), font, ticks: { show: false } };
    const line = { stroke: color('--grey-200'), width: 1 };
    const { uPlot } = globalThis;
    return {
      width: widthOf(figure),
      height: heightOf(figure),
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), figure.dataset.chart),
      // At the right there is room for half a label.
      padding: [12, 34, 0, 0],
      cursor: { y: false, drag: { x: true, y: false }, points: { size: 7, width: 2 } },
      legend: { markers: { width: 3 } },
      hooks: figure.dataset.small === undefined ? { draw: [(plot) => markMovements(plot, axis.stroke)] } : {},
      series: [
        {
          label: 'Time',
          value: (_plot, _value, _series, row) => (row === null ? '–' : chart.table.moments[row]),
        },
        ...chart.table.names.map((label, index) => ({
          label,
          stroke: color(seriesColors[index % seriesColors.length]),
          width: 2,
          fill: figure.dataset.small === undefined ? undefined : color('--accent-tint'),
          dash: index < seriesColors.length ? [] : [6, 4],
          spanGaps: false,
          paths: uPlot.paths.stepped({ align: 1 }),
          points: { show: isAlone, size: 5 },
          value: (_plot, _value, _series, row) => (row === null ? '–' : chart.table.texts[index][row]),
        })),
      ],
      axes: [
        { ...axis, grid: { show: false }, border: { show: true, ...line }, values: timesOf, space: 84 },
        { ...axis, grid: line, values: valuesOf, size: sizeOf, gap: 8 },
      ],
    };
  }

  /** On the axis of time, where the first series rose or fell: a triangle that points there. */
  function markMovements({ ctx, data: [times, values], bbox, valToPos }, color) {
    const size = 4 * devicePixelRatio;
    const foot = bbox.top + bbox.height;
    ctx.fillStyle = color;
    for (const [at, value] of values.entries()) {
      const change = value - values[at - 1];
      if (at === 0 || value === null || values[at - 1] === null || change === 0) continue;
      const middle = valToPos(times[at], 'x', true);
      const tip = change > 0 ? -size : size;
      ctx.beginPath();
      ctx.moveTo(middle, foot - size + tip);
      ctx.lineTo(middle - size, foot - size - tip);
      ctx.lineTo(middle + size, foot - size - tip);
      ctx.fill();
    }
  }

  /** Where a few figures are known, or one stands alone between two gaps, a point shows what no line would. */
  function isAlone(plot, series) {
    const values = plot.data[series];
    const known = values.filter((value) => value !== null).length;
    return (
      known < 40 ||
      values.some((value, at) => value !== null && values[at - 1] == null && values[at + 1] == null)
    );
  }

  /** Days and hours as the rest of the page writes them. */
  function timesOf(plot, ticks, _axis, _space, step) {
    const two = (number) => String(number).padStart(2, '0');
    let before = '';
    return ticks.map((seconds) => {
      const at = globalThis.uPlot.tzDate(new Date(seconds * 1000), plot.root.closest('figure').dataset.chart);
      const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
      if (step >= 86_400) return day;
      const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
      const text = day === before ? time : `${time}\n${day}`;
      before = day;
      return text;
    });
  }

  /** As many decimals as tell the ticks apart. */
  function valuesOf(_plot, ticks) {
    const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0)) || 1;
    const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
    return ticks.map((tick) => tick.toLocaleString('en', { maximumFractionDigits: decimals }));
  }

  /** Wide enough for the longest label. */
  function sizeOf(_plot, labels) {
    return 20 + 7 * Math.max(4, ...(labels ?? []).map((label) => label.length));
  }
})();
