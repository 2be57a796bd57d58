import { html } from 'hono/html';
import type { OperationObject, ParameterObject, ReferenceObject, ResponseObject } from 'openapi3-ts/oas31';
import { type Need, needOf } from '../access/route-scopes.ts';
import { fieldList, prose, shapeOf } from './fields.ts';
import { type Markup, type Shape, typeInWords } from './types-in-words.ts';

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export const anchorOf = ({ method, operation, path }: Route): string => operation.operationId ?? `${method}-${path}`;

const PLACES = { path: 'In the path', query: 'In the query', header: 'Headers', cookie: 'Cookies' } as const;
const REFUSED = 400;

const isParameter = (each: ParameterObject | ReferenceObject): each is ParameterObject => 'in' in each;
const isResponse = (each: ResponseObject | ReferenceObject): each is ResponseObject => !('$ref' in each);

function parameters({ operation }: Route): Markup {
  const all = (operation.parameters ?? []).filter(isParameter);
  const groups = Object.entries(PLACES).map(([place, title]) => {
    const fields = all
      .filter((each) => each.in === place)
      .map(({ name, schema = {}, required = false }) => ({ name, shape: schema, isRequired: required }));
    return fields.length === 0 ? html`` : html`<h4>${title}</h4>${fieldList(fields)}`;
  });
  return html`${groups}`;
}

const kinds = (content: Readonly<Record<string, { readonly schema?: Shape }>> = {}): Markup =>
  html`${Object.entries(content).map(
    ([type, { schema = {} }]) =>
      html`<p><code>${type}</code> <span class="type">${typeInWords(schema)}</span></p>${shapeOf(schema)}`,
  )}`;

function body({ operation: { requestBody } }: Route): Markup {
  if (!requestBody || '$ref' in requestBody) return html``;
  return html`<h4>Body</h4>${kinds(requestBody.content)}`;
}

function answers({ operation }: Route): Markup {
  const all = Object.entries(operation.responses ?? {}) as readonly [string, ResponseObject | ReferenceObject][];
  const good = all.filter(([status]) => Number(status) < REFUSED);
  const refusals = all.map(([status]) => status).filter((status) => Number(status) >= REFUSED);
  const told = good.map(([status, answer]) =>
    isResponse(answer)
      ? html`<h4>${status} <span class="said">${prose(answer.description)}</span></h4>${kinds(answer.content)}`
      : html``,
  );
  return html`${told}<p class="refusals">Refusals: ${refusals.map(
    (status, at) => html`${at === 0 ? '' : ' '}<a href="#status-${status}">${status}</a>`,
  )}</p>`;
}

const scope = (need: Need): Markup => html`<span class="scope" title="What a token needs">${need}</span>`;

/** One route: what it is for, who may ask, what it takes, what it answers. */
export function operationSection(route: Route): Markup {
  const { method, path, operation } = route;
  return html`<section class="route" id="${anchorOf(route)}">
<h3><a href="#${anchorOf(route)}"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${path}</code></a> ${scope(needOf(method.toUpperCase(), path))}</h3>
<p class="summary">${prose(operation.summary ?? '')}.</p>
${operation.description === undefined ? '' : html`<p>${prose(operation.description)}</p>`}
${parameters(route)}${body(route)}${answers(route)}
</section>`;
}
