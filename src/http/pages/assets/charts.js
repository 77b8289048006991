// Draws each chart of a page from the table beside it. Empty cells are gaps. The figures that are shown are the table's own text.
(() => {
  const plots = new Map();

  for (const figure of document.querySelectorAll('figure[data-chart]')) draw(figure);
  document.addEventListener('figures-refreshed', () => {
    for (const figure of document.querySelectorAll('figure[data-chart]')) draw(figure);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const figure of plots.keys()) draw(figure);
  });
  new ResizeObserver(() => {
    for (const [figure, plot] of plots) plot.setSize({ width: widthOf(figure), height: plot.height });
  }).observe(document.body);

  function widthOf(figure) {
    return Math.max(200, figure.clientWidth);
  }

  /** The rows of the table: seconds of each moment, and of each series the numbers and the texts. */
  function readTable(figure) {
    const names = [...figure.querySelectorAll('thead th')].slice(1).map((cell) => cell.textContent.trim());
    const rows = [...figure.querySelectorAll('tbody tr')];
    const times = rows.map((row) => Date.parse(row.querySelector('time').dateTime) / 1000);
    const cells = names.map((_, index) => rows.map((row) => row.cells[index + 1].querySelector('data')));
    return {
      names,
      times,
      numbers: cells.map((column) => column.map((cell) => (cell === null ? null : Number(cell.value)))),
      texts: cells.map((column) => column.map((cell) => cell?.textContent ?? 'unknown')),
    };
  }

  function draw(figure) {
    const place = figure.querySelector('.plot');
    const { names, times, numbers, texts } = readTable(figure);
    plots.get(figure)?.destroy();
    plots.delete(figure);
    if (times.length < 2) return;
    place.hidden = false;
    const style = getComputedStyle(figure);
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--soft'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { stroke: color('--line'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    const options = {
      width: widthOf(figure),
      height: 260,
      tzDate: (seconds) => globalThis.uPlot.tzDate(new Date(seconds * 1000), figure.dataset.chart),
      series: [
        { value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
        ...names.map((label, index) => ({
          label,
          stroke: color(`--series-${(index % 4) + 1}`),
          width: 2,
          dash: index < 4 ? [] : [6, 4],
          spanGaps: false,
          paths: globalThis.uPlot.paths.stepped({ align: 1 }),
          points: { show: times.length < 60, size: 4 },
          value: (_plot, _value, _series, row) => (row === null ? '' : texts[index][row]),
        })),
      ],
      axes: [
        axis,
        { ...axis, size: 80, values: (_plot, ticks) => ticks.map((tick) => tick.toLocaleString('en')) },
      ],
    };
    plots.set(figure, new globalThis.uPlot(options, [times, ...numbers], place));
  }
})();
