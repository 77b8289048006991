import { createServer } from 'node:http';
import { expect } from 'vitest';
import { walkByTab } from '../../support/browser/keyboard.ts';
import { axeFindings, checkViews, everyView, sticksOut } from '../../support/browser/views.ts';
import { browserTest } from '../../support/browser.ts';
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
      await expect.poll(refused).toEqual([expect.stringMatching(what)]);
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
