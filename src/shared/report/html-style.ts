/** Both themes by the reader's own setting; every pair of colours has a contrast of at least 4.5. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --raised: #f4f5f7; --line: #d9dce1; --text: #1b1f24; --soft: #57606a;
  --good: #116329; --bad: #b3202c; --warn: #855c00; --client: #0b5cad; --backend: #7a3ea8; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --raised: #1c2026; --line: #333a43; --text: #e4e8ed;
  --soft: #9aa5b1; --good: #63c77b; --bad: #ff8a85; --warn: #e3b341; --client: #6cb6ff; --backend: #cf9bf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--text);
  font: 13px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 .75rem; font-size: 1.3rem; }
h3 { margin: 1rem 0 .25rem; font-size: .8rem; color: var(--soft); font-weight: 600; }
table { width: 100%; border-collapse: collapse; } main > table { margin-bottom: 1.25rem; }
th, td { padding: .15rem .75rem .15rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { width: 9rem; font-weight: 500; color: var(--soft); white-space: nowrap; }
.number { width: 6.5rem; text-align: right; font-variant-numeric: tabular-nums; color: var(--soft); white-space: nowrap; }
.leg { width: 5.5rem; white-space: nowrap; }
.client { color: var(--client); } .backend { color: var(--backend); } .gateway { color: var(--soft); }
pre { margin: 0; padding: .5rem .75rem; overflow: auto; max-height: 28rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: 4px; font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { margin: .5rem 0; padding: .5rem .75rem; border-left: 3px solid var(--warn); background: var(--raised); }
details { border-top: 1px solid var(--line); } details:last-of-type { border-bottom: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 4rem 6.5rem minmax(0, 1fr) minmax(0, 10rem) 8rem 6rem; gap: .75rem; padding: .3rem .25rem;
  cursor: pointer; } summary:hover { background: var(--raised); } summary:focus-visible { outline: 2px solid var(--client); }
summary > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
summary > :first-child::before { content: '▸ '; } [open] > summary > :first-child::before { content: '▾ '; }
summary .number { width: auto; } .call { padding: 0 .25rem 1.25rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .soft { color: var(--soft); }
@media (max-width: 48rem) { summary { grid-template-columns: 3rem minmax(0, 1fr) 7rem; } summary .wide { display: none; } }
@media print { pre { max-height: none; } }
`
