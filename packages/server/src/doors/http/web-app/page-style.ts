// The style of the pages that the server renders itself: the colors of the web app, and its font if the app is built.
import { createHash } from 'node:crypto';

export interface PageStyle {
  readonly css: string;
  /** SHA-256 in base64, for the policy of the page. */
  readonly hash: string;
  readonly hasFont: boolean;
}

/** `fontUrl` must work without a login. */
export function pageStyle(fontUrl: string | undefined): PageStyle {
  const text = fontUrl === undefined ? css : fontFace(fontUrl) + css;
  return {
    css: text,
    hash: createHash('sha256').update(text).digest('base64'),
    hasFont: fontUrl !== undefined,
  };
}

function fontFace(url: string): string {
  return `
@font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap; src: url('${url}') format('woff2') }`;
}

/** The colors, as CSS declarations. */
export const palette = `
  color-scheme: light dark;
  --paper: light-dark(#fbfaf8, #131514);
  --raised: light-dark(#ffffff, #1b1e1d);
  --line: light-dark(#e2dfd8, #2e3331);
  --edge: light-dark(#8f897d, #747a77);
  --ink: light-dark(#1d1b18, #ecebe6);
  --soft: light-dark(#57534b, #b9b7af);
  --accent: light-dark(#0f6f66, #58cabb);
  --accent-strong: light-dark(#0b5952, #7fdccf);
  --on-accent: light-dark(#ffffff, #06201d);
  --warn: light-dark(#8a5300, #f0bd6a);
  --warn-wash: light-dark(#fdf1dc, #36270f);
  --danger: light-dark(#b3261e, #ff9c93);`;

const css = `
:root {${palette}
  font: 16px/1.55 'Inter Variable', ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); -webkit-font-smoothing: antialiased }
main { width: 100%; max-width: 24rem; padding: 2.25rem 2rem 2rem; background: var(--raised); border: 1px solid var(--line); border-radius: .875rem; box-shadow: 0 1px 2px #0000000d, 0 16px 48px -16px #0000001f }
main:has(> section) { max-width: 60rem }
section { border-top: 1px solid var(--line); padding: 1rem 0 }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere }
h2 code:first-child { text-transform: uppercase; margin-right: .5rem }
pre { overflow: auto; background: var(--paper); padding: .75rem; border-radius: .5rem; font-size: .8rem }
summary { cursor: pointer }
.mark { margin: 0 0 1.25rem; line-height: 0 }
.mark svg { width: 2.75rem; height: 2.75rem }
.mark rect { fill: var(--accent) }
.mark path, .mark circle { fill: var(--on-accent) }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; font-weight: 600; line-height: 1.3; letter-spacing: -.015em }
p { margin: 0 0 1.5rem; color: var(--soft); font-size: .9375rem }
form { display: grid; gap: .5rem }
label { font-weight: 500; font-size: .875rem }
input { width: 100%; min-height: 2.75rem; padding: .5rem .85rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem }
input[aria-invalid] { border-color: var(--danger) }
button, .button { margin-top: .75rem; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 500; color: var(--on-accent); background: var(--accent); border: 0; border-radius: .5rem; cursor: pointer }
button:hover { background: var(--accent-strong) }
button:disabled { opacity: .6; cursor: default }
.button { display: grid; place-items: center; text-decoration: none; text-align: center }
button.quiet, .button.quiet { color: inherit; background: transparent; border: 1px solid var(--edge) }
button.quiet:hover, .button.quiet:hover { background: var(--paper) }
button + button, button + .button { margin-top: 0 }
#choices { display: grid; gap: .5rem }
[hidden] { display: none !important }
.small { margin: .5rem 0 0; font-size: .8125rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
.bad { margin: 0; color: var(--danger); font-size: .875rem }
.demo { margin: 1.5rem -2rem -2rem; padding: .75rem 2rem; color: var(--warn); background: var(--warn-wash); border-radius: 0 0 .8125rem .8125rem; font-size: .8125rem }
`;
