import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../../tools/csp.mjs';
import { pageFaults, statesPolicy, styleFaults } from '../../../tools/vite/page-policy.ts';

const meta = `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`;

describe('the policy of built pages', () => {
  it('is content with scripts and styles in files, and with links that a person follows', () => {
    const page = `<!doctype html><head>${meta}<script type="module" src="./assets/a.js"></script>
      <link rel="stylesheet" href="./assets/a.css"></head><!-- <script>old()</script> -->
      <body><a href="https://example.org/">elsewhere</a><img src="icon.svg" alt="a > b"></body>`;
    expect(pageFaults(page)).toEqual([]);
    expect(statesPolicy(page)).toBe(true);
  });

  it.each([
    ['<script>run()</script>', /inline script/],
    ['<script type="module">import "./a.js"</script>', /inline script/],
    ['<body onload="run()">', /inline handler/],
    ['<img alt="a > b" src=x ONERROR=run()>', /inline handler/],
    ['<a href=" javascript:run()">x</a>', /inline script/],
    ['<p style="color: red">', /inline style/],
    ['<style>p { color: red }</style>', /inline style/],
    ['<iframe srcdoc="<p>hello">', /page in an attribute/],
    ['<script src="https://cdn.example.org/a.js"></script>', /another host/],
    ['<script src=//cdn.example.org/a.js></script>', /another host/],
    ["<link rel=preconnect href='https://example.org'>", /another host/],
    ['<form action="http://example.org/">', /another host/],
  ])('refuses %s', (html, fault) => {
    expect(pageFaults(html).join()).toMatch(fault);
  });

  it('must stand before the first script', () => {
    expect(statesPolicy(`<script src="a.js"></script>${meta}`)).toBe(false);
    expect(statesPolicy('<meta http-equiv="Content-Security-Policy" content="default-src *">')).toBe(false);
  });

  it('goes for styles, too', () => {
    expect(styleFaults('a { background: url(./a.png) } @font-face { src: url("b.woff2") }')).toEqual([]);
    expect(styleFaults('a { background: url( "https://example.org/a.png") }')).toHaveLength(1);
    expect(styleFaults('@import "//example.org/a.css";')).toHaveLength(1);
  });
});
