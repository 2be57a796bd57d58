import { html } from 'hono/html';
import { boundsInWords, isReference, type Markup, type Shape, typeInWords } from './types-in-words.ts';

interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
}

/** Objects within objects are told by dotted names so deep; what is deeper has a name of its own. */
const DEPTH = 3;

/** The object that fields of a value are of: its own, or that of the members of its list. */
function inner(shape: Shape): Shape {
  if (isReference(shape)) return shape;
  const either = (shape.anyOf ?? shape.oneOf ?? []).filter((part) => isReference(part) || part.type !== 'null');
  if (either.length === 1 && either[0]) return inner(either[0]);
  return shape.items ? inner(shape.items) : shape;
}

function fieldsOf(shape: Shape, prefix = '', depth = DEPTH): readonly Field[] {
  const object = inner(shape);
  if (isReference(object) || depth === 0) return [];
  const own = Object.entries(object.properties ?? {}).flatMap(([name, part]): readonly Field[] => {
    const field = { name: `${prefix}${name}`, shape: part, isRequired: object.required?.includes(name) ?? false };
    return [field, ...fieldsOf(part, `${prefix}${name}.`, depth - 1)];
  });
  return [...(object.allOf ?? []).flatMap((part) => fieldsOf(part, prefix, depth)), ...own];
}

/** Shapes of which a value is one; a single shape is itself. */
const variantsOf = (shape: Shape): readonly Shape[] => {
  const object = inner(shape);
  return isReference(object) ? [object] : (object.anyOf ?? object.oneOf ?? [object]);
};

const described = (shape: Shape): string => shape.description ?? '';

/** Code in back-ticks, as descriptions have it. */
export const prose = (text: string): Markup =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

const row = ({ name, shape, isRequired }: Field): Markup => {
  const bounds = boundsInWords(shape);
  return html`<div class="field">
<dt><code>${name}</code>${isRequired ? '' : html` <span class="optional">optional</span>`}</dt>
<dd><span class="type">${typeInWords(shape)}</span>${bounds === '' ? '' : html` <span class="bounds">${bounds}</span>`}${
    described(shape) === '' ? '' : html`<p>${prose(described(shape))}</p>`
  }</dd>
</div>`;
};

/** Fields of a named list, such as parameters. */
export const fieldList = (fields: readonly Field[]): Markup =>
  fields.length === 0 ? html`` : html`<dl class="fields">${fields.map(row)}</dl>`;

/** What a value is, and its fields where it is an object without a name of its own. */
export function shapeOf(shape: Shape): Markup {
  const tables = variantsOf(shape)
    .map((variant) => fieldsOf(variant))
    .filter((fields) => fields.length > 0);
  return html`${tables.map((fields, at) => html`${at === 0 ? '' : html`<p class="or">or</p>`}${fieldList(fields)}`)}`;
}
