// The style of the page: each chat looks like its service, side by side if there is room.

export const pageStyle = `
* { box-sizing: border-box; }
html { color-scheme: light dark; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  background: #eef1f5; color: #1b2430;
}
header { padding: 1.25rem 1.5rem .25rem; }
h1 { margin: 0; font-size: 1.35rem; letter-spacing: -.01em; }
header p { margin: .25rem 0 0; color: #4a5768; }
main { flex: 1; display: grid; grid-template-columns: 1fr 1fr; gap: 1.25rem; padding: 1rem 1.5rem 1.5rem; min-height: 0; }
.chat {
  display: flex; flex-direction: column; min-width: 0; height: calc(100vh - 8rem); min-height: 26rem;
  border-radius: 14px; overflow: hidden; box-shadow: 0 1px 2px #0002, 0 8px 28px #1b243018;
}
.top { padding: .75rem 1rem; }
.top h2 { margin: 0; font-size: 1rem; }
.top p { margin: 0; font-size: .85rem; }
.log { flex: 1; overflow-y: auto; padding: 1rem; }
ol { list-style: none; margin: 0; padding: 0; display: flex; flex-direction: column; gap: .5rem; }
.empty { text-align: center; margin: 2rem 1rem; }
li { max-width: 88%; overflow-wrap: anywhere; white-space: pre-wrap; }
.bubble { padding: .5rem .75rem; border-radius: 12px; }
.bold, .heading { font-weight: 650; }
.heading { font-size: 1.1em; }
.italic { font-style: italic; }
.struck { text-decoration: line-through; }
.link { text-decoration: underline; }
.code, .pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; border-radius: 4px; }
.code { padding: .05em .3em; }
.pre { display: block; padding: .5rem .65rem; margin: .3rem 0; overflow-x: auto; white-space: pre; }
.quote { display: block; border-left: 3px solid currentColor; padding-left: .6rem; opacity: .85; }
.edited { font-size: .72rem; opacity: .8; margin-left: .4rem; }
.row { display: flex; flex-wrap: wrap; gap: .35rem; margin-top: .35rem; }
button { font: inherit; cursor: pointer; border: 0; border-radius: 8px; padding: .45rem .8rem; min-height: 2.5rem; }
.row button { flex: 1 1 auto; min-width: 6rem; }
button:focus-visible, textarea:focus-visible, .log:focus-visible { outline: 3px solid #ffb020; outline-offset: 2px; }
.typing { margin: 0; padding: .25rem 1rem; font-size: .85rem; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; padding: .5rem 1rem 0; }
.chip { font-size: .85rem; padding: .2rem .7rem; min-height: 2rem; border-radius: 999px; }
form { position: relative; display: flex; gap: .5rem; padding: .75rem 1rem 1rem; align-items: flex-end; }
textarea { flex: 1; font: inherit; color: inherit; resize: none; border-radius: 10px; padding: .55rem .75rem; max-height: 8rem; }
form button { font-weight: 600; }
.attach { cursor: pointer; padding: .45rem .5rem; min-height: 2.5rem; font-size: .9rem; }
.attach:hover { text-decoration: underline; }
input:focus-visible + .attach { outline: 3px solid #ffb020; outline-offset: 2px; border-radius: 8px; }

.telegram { background: #dbe7ef; }
.telegram .top { background: #fff; border-bottom: 1px solid #d5dde5; }
.telegram .top p, .telegram .typing, .telegram .empty { color: #4a5a69; }
.telegram li { align-self: flex-start; }
.telegram .bubble { background: #fff; box-shadow: 0 1px 1px #0001; }
.telegram li.own { align-self: flex-end; }
.telegram li.own .bubble { background: #e3f6cf; }
.telegram .code, .telegram .pre { background: #eaf0f5; }
.telegram .row button { background: #ffffffc9; color: #14527c; }
.telegram .row button:hover { background: #fff; }
.telegram .chip { background: #e4edf4; color: #1e4a68; }
.telegram form, .telegram .chips { background: #fff; }
.telegram textarea { background: #f2f5f8; border: 1px solid #c3ced8; }
.telegram form button { background: #17659c; color: #fff; }

.discord { background: #313338; color: #dbdee1; }
.discord .top { background: #2b2d31; border-bottom: 1px solid #1f2023; }
.discord .top h2 { color: #f2f3f5; }
.discord .top p, .discord .typing, .discord .empty { color: #b5bac1; }
.discord li { max-width: 100%; padding: .25rem 0; }
.discord .author { font-weight: 600; color: #c9cdfb; display: block; }
.discord li.own .author { color: #f2f3f5; }
.discord .bubble { padding: 0; }
.discord .code, .discord .pre { background: #1e1f22; }
.discord .row { justify-content: flex-start; }
.discord .row button { background: #4e5058; color: #fff; flex: 0 1 auto; }
.discord .row button:hover { background: #6d6f78; }
.discord .chip { background: #3f4147; color: #dbdee1; }
.discord textarea { background: #383a40; border: 1px solid #565a63; }
.discord textarea::placeholder { color: #b5bac1; }
.discord form button { background: #4752c4; color: #fff; }
.telegram .author { display: none; }

@media (prefers-color-scheme: dark) {
  body { background: #12161c; color: #e6eaf0; }
  header p { color: #a9b4c2; }
  .telegram { background: #0e1621; }
  .telegram .top { background: #17212b; border-color: #0b1118; }
  .telegram .top p, .telegram .typing, .telegram .empty { color: #9fb0c0; }
  .telegram .bubble { background: #182533; }
  .telegram li.own .bubble { background: #2b5278; }
  .telegram .code, .telegram .pre { background: #0f1924; }
  .telegram .row button { background: #24384c; color: #9fd0f5; }
  .telegram .row button:hover { background: #2e465e; }
  .telegram .chip { background: #22303d; color: #a8d3f2; }
  .telegram form, .telegram .chips { background: #17212b; }
  .telegram textarea { background: #242f3d; border-color: #3c4b5c; }
  .telegram textarea::placeholder { color: #9fb0c0; }
  .telegram form button { background: #2b6ea3; }
  #notice { border: 1px solid #3c4b5c; }
}

#notice {
  position: fixed; right: 1.5rem; top: 1.25rem; margin: 0; max-width: min(32rem, 90vw);
  background: #1b2430; color: #fff; border-radius: 10px; padding: .6rem 1rem; box-shadow: 0 6px 24px #0005;
}
#notice:empty { display: none; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 800px) {
  main { grid-template-columns: 1fr; }
  .chat { height: 75vh; }
  .chips { flex-wrap: nowrap; overflow-x: auto; padding-bottom: .25rem; }
  .chip { flex: none; }
}
@media (prefers-reduced-motion: no-preference) { .log { scroll-behavior: smooth; } }
`;
