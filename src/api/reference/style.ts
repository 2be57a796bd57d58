/** The look of the reference: the colours of the product, light and dark, from a phone's width on. */
export const STYLE = `
:root { color-scheme: light dark; --bg: #fbfbfa; --panel: #fff; --sunk: #f4f4f2; --line: #e4e4e0; --text: #1b1b19;
  --muted: #5f5f58; --accent: #3457d5; --green: #1c7a43; --amber: #935f00; --violet: #6b3fa0;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --bg: #141412; --panel: #1b1b19; --sunk: #111110; --line: #2d2d29;
  --text: #ecece6; --muted: #a5a59c; --accent: #8ea6ff; --green: #6fcf97; --amber: #f0b84d; --violet: #c9a4f5; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/20px system-ui, -apple-system, "Segoe UI", sans-serif;
  display: grid; grid-template-columns: minmax(280px, 340px) minmax(0, 1fr); }
a { color: inherit; text-decoration: none; } a:hover { text-decoration: underline; }
p a, dd a, .type a { color: var(--accent); } p { margin: 4px 0; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, .type, .method { font-family: var(--mono); font-size: 12.5px; } code { overflow-wrap: anywhere; }
h1 { font-size: 24px; line-height: 32px; margin: 0 0 4px; } h2 { font-size: 18px; line-height: 26px; margin: 0 0 12px; }
h3 { font-size: 14px; line-height: 22px; margin: 0 0 4px; font-weight: 600; } h4 { font-size: 12px; line-height: 16px; margin: 16px 0 4px; color: var(--muted); font-weight: 600; }
.said { font-weight: 400; } .meta, .bounds, .refusals, .optional, .said { color: var(--muted); }
nav { border-right: 1px solid var(--line); background: var(--sunk); height: 100vh; position: sticky; top: 0; overflow-y: auto; padding: 16px; }
.jump { display: none; } nav h2 { font-size: 12px; line-height: 16px; margin: 16px 0 4px; color: var(--muted); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: 8px; padding: 2px 0; font: 12px/18px var(--mono); overflow-wrap: anywhere; }
main { padding: 32px 40px 96px; max-width: 960px; width: 100%; } main > section { margin-top: 48px; }
.route, .shape { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 16px; margin-bottom: 16px; }
.route:target, .shape:target { border-color: var(--accent); }
.route h3 { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; }
.summary { font-size: 15px; line-height: 22px; }
.method { font-weight: 600; min-width: 48px; display: inline-block; color: var(--accent); }
.post { color: var(--green); } .patch, .put { color: var(--amber); } .delete { color: var(--violet); }
.scope { font: 11px/16px var(--mono); border: 1px solid var(--line); border-radius: 5px; padding: 0 6px; color: var(--muted); }
.fields { margin: 4px 0 0; border-top: 1px solid var(--line); }
.field { display: grid; grid-template-columns: minmax(140px, 1fr) 2.2fr; gap: 4px 16px; padding: 6px 0; border-bottom: 1px solid var(--line); }
.field:target { background: var(--sunk); } dt { overflow-wrap: anywhere; } dd { margin: 0; overflow-wrap: anywhere; } dd p { color: var(--muted); margin: 2px 0 0; }
.optional { font-size: 12px; } .or { color: var(--muted); margin: 12px 0 4px; } .type { overflow-wrap: anywhere; }
@media (max-width: 800px) {
  body { display: flex; flex-direction: column; } .jump { display: block; } main { padding: 16px 16px 64px; } .route, .shape { padding: 12px; }
  nav { order: 1; position: static; height: auto; border-right: 0; border-top: 1px solid var(--line); padding: 12px 16px; }
  .field { grid-template-columns: 1fr; gap: 0; } main > section { margin-top: 32px; }
}
@media print { nav { display: none; } body { display: block; } }
`;
