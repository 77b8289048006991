// The browser of the tests finds what it is there to find.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { installBrowser, reasonWithout } from '../../support/browser/installed.ts';
import { walkByTab } from '../../support/browser/keyboard.ts';
import { axeFindings, checkViews, everyView, picture, sticksOut } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { longTest } from '../../support/form.ts';
import { listening } from '../../support/listening.ts';

const strict = "default-src 'none'; style-src 'none'; script-src 'self'; img-src 'self'";

/** Serves pages by their paths; a page is a body, or a body with headers. */
async function serve(pages: Readonly<Record<string, string>>, policy = strict): Promise<string> {
  const server = createServer((request, response) => {
    const body = pages[request.url ?? ''];
    const type = request.url?.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(body ?? ''),
      'content-security-policy': policy,
    });
    response.end(body ?? '');
  });
  return (await listening(server)).url;
}

const page = (body: string, title = 'A page') =>
  `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

browserTest('a page without a fault has none', async (browser) => {
  const url = await serve({ '/': page('<a href="/">here</a>') });
  const tab = await browser.open();
  expect(await tab.visit(`${url}/`)).toBe(200);
  expect(await checkViews(tab, 'sound')).toEqual([]);
  expect(tab.faults).toEqual([]);
  expect(await tab.firstPaintMs()).toBeGreaterThan(0);
});

browserTest('what the policy refuses is a fault, with JavaScript and without', async (browser) => {
  const url = await serve({
    '/style': page('<p style="color:red">x</p>'),
    '/script': page('<script>document.title = "run"</script>'),
    '/image': page('<img alt="" src="https://elsewhere.example/a.png">'),
  });
  for (const javaScriptEnabled of [true, false]) {
    const expectRefused = async (path: string, what: RegExp) => {
      const tab = await browser.open({ javaScriptEnabled });
      await tab.visit(url + path);
      const refused = () => tab.faults.filter((fault) => fault.startsWith('csp: '));
      await expect.poll(refused, { timeout: 30_000 }).toEqual([expect.stringMatching(what)]);
    };
    await expectRefused('/style', /^csp: style-src-attr refused kInlineViolation in .*\/style:/);
    await expectRefused('/image', /^csp: img-src refused https:\/\/elsewhere\.example\/a\.png/);
    // Without JavaScript nobody wants to run it.
    if (javaScriptEnabled)
      await expectRefused('/script', /^csp: script-src-elem refused kInlineViolation in .*\/script:/);
  }
});

browserTest(
  'a request elsewhere, an answer that failed, and an error of a script are faults',
  async (browser) => {
    const url = await serve(
      {
        '/': page(
          '<img alt="" src="https://elsewhere.example/a.png"><img alt="" src="/none.png"><script src="/a.js"></script>',
        ),
        '/a.js': "console.error('told'); console.log('not told'); throw new Error('uncaught')",
      },
      '',
    );
    const tab = await browser.open();
    await tab.visit(`${url}/`);
    expect(tab.faults.toSorted()).toEqual([
      'console: told',
      'elsewhere: https://elsewhere.example/a.png',
      `http: 404 ${url}/none.png`,
      'network: https://elsewhere.example/a.png: net::ERR_NAME_NOT_RESOLVED',
      'script: uncaught',
    ]);
    await tab.visit(`${url}/a.js`);
    expect(tab.faults).toEqual([]);
  },
);

browserTest(
  'what axe-core finds is reported with its element, under a strict policy too',
  async (browser) => {
    const url = await serve({ '/': page('<img src="/"><h4>x</h4>') });
    const tab = await browser.open();
    await tab.visit(`${url}/`);
    expect(await axeFindings(tab)).toEqual([
      expect.stringMatching(/^heading-order \(.*\) at h4: /),
      expect.stringMatching(/^image-alt \(.*\) at img: /),
    ]);
    expect(tab.faults).toEqual([]);
  },
);

browserTest('what makes a page scroll sideways is named, in the view where it does', async (browser) => {
  const url = await serve({ '/': page(`<p>${'wide'.repeat(30)}</p>`) });
  const tab = await browser.open({ width: 360 });
  await tab.visit(`${url}/`);
  expect(await sticksOut(tab)).toEqual([
    expect.stringMatching(/^the page is \d+ wide in a window of 360$/),
    expect.stringMatching(/^sticks out: <p>wide/),
  ]);
  expect(await checkViews(tab, 'wide', everyView)).toEqual([
    expect.stringMatching(/^320 light, 320 dark: the page is \d+ wide in a window of 320$/),
    expect.stringMatching(/^320 light, 320 dark, 768 light, 768 dark: sticks out: <p>wide/),
    expect.stringMatching(/^768 light, 768 dark: the page is /),
  ]);
});

browserTest(
  'the walk by the keyboard is recorded in order, and ends where the page ends',
  async (browser) => {
    const url = await serve(
      {
        '/': page(
          '<a href="/">one</a><style>button{outline:none}</style><button>two</button><input aria-label="three">',
        ),
      },
      '',
    );
    const tab = await browser.open();
    await tab.visit(`${url}/`);
    expect(await walkByTab(tab)).toEqual([
      { role: 'link', name: 'one', isShown: true },
      { role: 'button', name: 'two', isShown: false },
      { role: 'textbox', name: 'three', isShown: true },
    ]);
  },
);

browserTest('what a page loads is counted as it is with gzip', async (browser) => {
  const body = page(`<p>${'text '.repeat(1000)}</p><script src="/a.js"></script>`);
  const script = '// nothing\n'.repeat(100);
  const url = await serve({ '/': body, '/a.js': script });
  const tab = await browser.open();
  await tab.visit(`${url}/`);
  expect(await tab.traffic()).toEqual({
    requests: 2,
    sentBytes: body.length + script.length,
    gzippedBytes: gzipSync(body).length + gzipSync(script).length,
  });
});

browserTest('a tab has the window and the preferences that it is asked for', async (browser) => {
  const url = await serve({ '/': page('') });
  const tab = await browser.open({
    width: 400,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    forcedColors: 'active',
    timezoneId: 'Pacific/Auckland',
    locale: 'de-DE',
  });
  await tab.visit(`${url}/`);
  const told = () =>
    tab.page.evaluate(`({
      width: innerWidth,
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
      still: matchMedia('(prefers-reduced-motion: reduce)').matches,
      forced: matchMedia('(forced-colors: active)').matches,
      print: matchMedia('print').matches,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: navigator.language,
    })`);
  const asked = {
    width: 400,
    dark: true,
    still: true,
    forced: true,
    print: false,
    zone: 'Pacific/Auckland',
    language: 'de-DE',
  };
  expect(await told()).toEqual(asked);
  await tab.show({ width: 768, colorScheme: 'light', media: 'print' });
  expect(await told()).toEqual({ ...asked, width: 768, dark: false, print: true });
});

browserTest('pictures of a page are made where they are asked for', async (browser) => {
  const directory = mkdtempSync(join(tmpdir(), 'custody-mirror-pictures-'));
  onCleanup(async () => rmSync(directory, { recursive: true }));
  const url = await serve({ '/': page('') });
  const tab = await browser.open({ width: 360 });
  await tab.visit(`${url}/`);
  vi.stubEnv('SCREENSHOTS', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  await picture(tab, 'none');
  vi.stubEnv('SCREENSHOTS', join(directory, 'below'));
  await picture(tab, 'some');
  expect(readdirSync(directory, { recursive: true })).toEqual(['below', 'below/some.png']);
});

test('where no browser can be started the reason says what to do', () => {
  expect(reasonWithout(undefined, { platform: 'darwin', arch: 'arm64' })).toBe(
    'no browser comes for darwin on arm64; set CHROMIUM_PATH to a Chromium',
  );
  expect(reasonWithout('/none/chromium', { platform: 'linux', arch: 'x64' })).toBe(
    'CHROMIUM_PATH names /none/chromium, which does not exist',
  );
  expect(reasonWithout(process.execPath, { platform: 'darwin', arch: 'arm64' })).toBe('');
});

longTest('those who unpack the browser at the same time share it, and nothing else is left', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'custody-mirror-browser-'));
  onCleanup(async () => rmSync(parent, { recursive: true }));
  const installAtOnce = async () =>
    new Set(
      (await Promise.all([1, 2, 3].map(() => installBrowser(parent)))).map(
        ({ executablePath }) => executablePath,
      ),
    );
  const [program = ''] = await installAtOnce();
  const directory = dirname(program);
  rmSync(directory, { recursive: true });
  mkdirSync(join(parent, 'chromium-1.0.0'));
  const noProcess = 2 ** 30;
  mkdirSync(`${directory}.${noProcess}.killed`);
  expect([...(await installAtOnce())]).toEqual([program]);
  expect(readdirSync(parent)).toEqual([basename(directory)]);
});
