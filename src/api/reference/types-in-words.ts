import { html } from 'hono/html';
import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

export type Shape = SchemaObject | ReferenceObject;
/** Escaped text of a page. */
export type Markup = ReturnType<typeof html>;

export const isReference = (shape: Shape): shape is ReferenceObject => typeof shape.$ref === 'string';

const nameOf = ({ $ref }: ReferenceObject): string => $ref.slice($ref.lastIndexOf('/') + 1);

const linked = (shape: ReferenceObject): Markup => {
  const name = nameOf(shape);
  return html`<a href="#shape-${name}">${name}</a>`;
};

/** Parts with something between them. */
const joined = (parts: readonly Markup[], between: string): Markup =>
  html`${parts.map((part, at) => (at === 0 ? part : html`${between}${part}`))}`;

/** What a value may be, in a few words; shapes with a name are links to it. */
export function typeInWords(shape: Shape): Markup {
  if (isReference(shape)) return linked(shape);
  const { allOf = [], anyOf, oneOf, items, additionalProperties } = shape;
  if (shape.enum) return html`${shape.enum.map((value) => JSON.stringify(value)).join(' | ')}`;
  const either = anyOf ?? oneOf;
  if (either) return joined(either.map(typeInWords), ' | ');
  const parents = allOf.filter((part) => isReference(part) || part.type !== undefined);
  if (parents.length > 0) return joined(parents.map(typeInWords), ' & ');
  if (items) return html`${typeInWords(items)}[]`;
  if (typeof additionalProperties === 'object') return html`{ name: ${typeInWords(additionalProperties)} }`;
  const kinds = Array.isArray(shape.type) ? shape.type : [shape.type ?? 'anything'];
  return html`${kinds.join(' | ')}`;
}

const span = (from: number | undefined, to: number | undefined, unit: string): string => {
  const isSafe = to !== undefined && to < Number.MAX_SAFE_INTEGER;
  if (from === undefined || from <= 0) return isSafe ? `at most ${to}${unit}` : '';
  return isSafe ? `${from} to ${to}${unit}` : `at least ${from}${unit}`;
};

/** The bounds of a value, in words; empty where there are none. */
export function boundsInWords(shape: Shape): string {
  if (isReference(shape)) return '';
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = shape;
  const said = [
    span(minimum, maximum, ''),
    span(minLength, maxLength, ' characters'),
    span(minItems, maxItems, ' of them'),
    pattern === undefined ? '' : `matches ${pattern}`,
    shape.default === undefined ? '' : `${JSON.stringify(shape.default)} unless said`,
  ];
  return said.filter((each) => each !== '').join('; ');
}
