// Refreshes the figures of a page that shows the present: the page is asked again and what differs is put in place, so that the
// reader keeps the place, the selection and what is opened. It pauses on demand, and while nobody looks.
(() => {
  const main = document.querySelector('main[data-live-every]');
  if (main === null) return;
  const everyMs = Number(main.dataset.liveEvery) * 1000;
  const longestMs = 120_000;
  /** What a reader may have typed or chosen in a form and not sent yet. */
  const chosen = ['value', 'selected', 'checked'];
  const pausedKey = 'custody-mirror:paused';
  let paused = inStorage((storage) => storage.getItem(pausedKey)) === 'true';
  let failures = 0;
  let timer = 0;

  const control = document.createElement('aside');
  control.setAttribute('aria-label', 'Refreshing');
  control.className = 'live';
  const button = document.createElement('button');
  button.type = 'button';
  const said = document.createElement('span');
  said.className = 'soft';
  said.setAttribute('role', 'status');
  control.append(button, ' ', said);
  document.querySelector('footer')?.prepend(control);

  // A browser may refuse to keep anything: then it is known until the page is left.
  function inStorage(use) {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  }

  function tell() {
    button.textContent = paused ? 'Resume' : 'Pause';
    button.setAttribute('aria-label', `${button.textContent} refreshing the figures`);
    const failed = failures > 0 ? 'The figures could not be refreshed. Trying again.' : '';
    said.textContent = paused ? 'The figures are not refreshed.' : failed;
  }

  button.addEventListener('click', () => {
    paused = !paused;
    inStorage((storage) => storage.setItem(pausedKey, String(paused)));
    failures = 0;
    tell();
    clearTimeout(timer);
    if (!paused) void refresh();
  });
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (!document.hidden && !paused) void refresh();
  });

  function plan() {
    clearTimeout(timer);
    if (paused || document.hidden) return;
    timer = setTimeout(refresh, Math.min(longestMs, everyMs * 2 ** failures));
  }

  async function refresh() {
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
      // A page can be live with an error: it says since when the figures are unknown. A page without live figures, such as a refusal, does not replace it.
      if (fresh.querySelector('main[data-live-every]') === null) throw new Error(String(answer.status));
      if (!paused) replace(fresh);
      failures = answer.ok ? 0 : failures + 1;
    } catch {
      failures += 1;
    }
    tell();
    plan();
  }

  function replace(fresh) {
    for (const selector of ['.as-of', 'main']) {
      const [present, next] = [document.querySelector(selector), fresh.querySelector(selector)];
      if (present === null || next === null) throw new Error('another page');
      globalThis.Idiomorph.morph(present, next.childNodes, {
        morphStyle: 'innerHTML',
        ignoreActiveValue: true,
        callbacks: {
          // What the reader opened stays open, what is typed stays typed, and a chart is drawn by its own script.
          beforeAttributeUpdated: (name, node) =>
            !(name === 'open' && node.localName === 'details') && !(chosen.includes(name) && node.form),
          beforeNodeMorphed: (node) => !(node.nodeType === 1 && node.classList.contains('plot')),
        },
      });
    }
    document.title = fresh.title;
    document.dispatchEvent(new Event('figures-refreshed'));
  }

  tell();
  plan();
})();
