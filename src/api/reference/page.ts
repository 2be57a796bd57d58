import { html, raw } from 'hono/html';
import type { OpenAPIObject, OperationObject } from 'openapi3-ts/oas31';
import { CODES, TITLES } from '../codes.ts';
import { METHODS } from '../document.ts';
import { prose, shapeOf } from './fields.ts';
import { anchorOf, operationSection, type Route } from './operation.ts';
import { type Markup, type Shape, typeInWords } from './types-in-words.ts';

/** Where a route is told on the page. */
interface Group {
  readonly tag: string;
  readonly routes: readonly Route[];
}

const title = (tag: string): string => tag.slice(0, 1).toUpperCase() + tag.slice(1).replaceAll('-', ' ');

function groupsOf({ paths = {} }: OpenAPIObject): readonly Group[] {
  const groups = new Map<string, Route[]>();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation: OperationObject | undefined = item[method];
      const tag = operation?.tags?.[0] ?? 'others';
      if (operation) groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
    }
  }
  return [...groups].map(([tag, routes]) => ({ tag, routes }));
}

/** Below an item all paths begin alike. */
const shortened = (path: string): string => path.replace('/api/v1', '').replace(/^\/work-items\/\{id\}(?=\/)/, '…');

const contents = (groups: readonly Group[]): Markup => html`<nav aria-label="Routes" id="routes">
${groups.map(
  ({ tag, routes }) => html`<h2><a href="#tag-${tag}">${title(tag)}</a></h2>
<ul>${routes.map(
    (
      route,
    ) => html`<li><a href="#${anchorOf(route)}"><span class="method ${route.method}">${route.method.toUpperCase()}</span>
<span>${shortened(route.path)}</span></a></li>`,
  )}</ul>`,
)}
<h2><a href="#refusals">Refusals</a></h2><h2><a href="#shapes">Shapes</a></h2></nav>`;

/** Codes by their status; all that are not named fit no state: 409. */
function refusals(): Markup {
  const statuses = Object.entries(TITLES).map(([status, words]) => {
    const codes = [...CODES].filter(([, each]) => each === Number(status)).map(([code]) => code);
    const rest =
      status === '409' ? html` and every other refusal of the engine: the item is not in the state for it` : '';
    return html`<div class="field" id="status-${status}"><dt><code>${status}</code> ${words}</dt>
<dd>${codes.map((code, at) => html`${at === 0 ? '' : ', '}<code>${code}</code>`)}${rest}</dd></div>`;
  });
  return html`<section id="refusals"><h2>Refusals</h2>
<p>A refusal is a <a href="#shape-Problem">Problem</a> (RFC 9457): <code>code</code> is the same on every surface, and
<code>expected</code>, <code>found</code> and <code>next</code> say what to do.</p>
<dl class="fields">${statuses}</dl></section>`;
}

function shapes({ components }: OpenAPIObject): Markup {
  const named = Object.entries(components?.schemas ?? {}) as readonly [string, Shape][];
  const sections = named
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, shape]) => html`<section class="shape" id="shape-${name}"><h3><a href="#shape-${name}">${name}</a></h3>
${shape.description === undefined ? '' : html`<p>${prose(shape.description)}</p>`}
<p class="type">${typeInWords(shape)}</p>${shapeOf(shape)}</section>`,
    );
  return html`<section id="shapes"><h2>Shapes</h2>${sections}</section>`;
}

/** The whole reference as one page without a script: made of the document that programs read. */
export function referencePage(document: OpenAPIObject): string {
  const groups = groupsOf(document);
  const { title: name, version, description = '' } = document.info;
  const page = html`<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${name} over HTTP</title><link rel="stylesheet" href="/docs/style.css"></head>
<body>${contents(groups)}<main><header><h1>${name} over HTTP</h1>
<p>${description}</p>
<p class="meta">Version ${version} · <a href="/openapi.json">openapi.json</a> for programs. Beside each route is the scope
that a token needs, where one is asked for.</p>
<p class="jump"><a href="#routes">All routes</a></p></header>
${groups.map(({ tag, routes }) => html`<section id="tag-${tag}"><h2>${title(tag)}</h2>${routes.map(operationSection)}</section>`)}
${refusals()}${shapes(document)}</main></body></html>`;
  return `<!doctype html>\n${raw(String(page))}`;
}
