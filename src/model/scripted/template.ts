import { isObject, parseJson } from './json.ts';

/** `values` are the named groups of the step's patterns; `root` is what paths that begin with `$` look into. */
export interface TemplateSource {
  readonly values: Readonly<Record<string, string>>;
  readonly root: unknown;
}

export type Filled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** `{{name}}` or `{{$.path}}`; a backslash before it keeps it as it is. Braces around anything else are plain text. */
const PLACE = /(?<escaped>\\?)\{\{\s*(?<what>[A-Za-z_]\w*|\$(?:\.[\w-]+|\[-?\d+\])+)\s*\}\}/g;
const PLACE_ALONE = new RegExp(`^${PLACE.source}$`);

function step(value: unknown, key: string): unknown {
  // Tools and prompts carry JSON as text: a path goes on inside it.
  const inside = typeof value === 'string' ? parseJson(value) : value;
  if (Array.isArray(inside)) return /^-?\d+$/.test(key) ? inside.at(Number(key)) : undefined;
  return isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined;
}

/** The value at a path such as `$.messages[-1].results[0].text.id`; undefined where there is none. */
export function valueAt(root: unknown, path: string): unknown {
  const keys = path.slice(1).match(/[^.[\]]+/g) ?? [];
  return keys.reduce(step, root);
}

function lookUp(what: string, { values, root }: TemplateSource): unknown {
  if (what.startsWith('$')) return valueAt(root, what);
  return Object.hasOwn(values, what) ? values[what] : undefined;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Adds to `missing` what cannot be found instead of stopping, so that all of it is said at once. */
function fillText(text: string, source: TemplateSource, missing: Set<string>): string {
  return text.replace(PLACE, (whole: string, escaped: string, what: string) => {
    if (escaped !== '') return whole.slice(1);
    const value = lookUp(what, source);
    if (value !== undefined) return asText(value);
    missing.add(what);
    return whole;
  });
}

/** A text that is one template and nothing else becomes the value itself, so that lists and numbers stay what they are. */
function fillDeep(value: unknown, source: TemplateSource, missing: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => fillDeep(one, source, missing));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillDeep(one, source, missing)]));
  }
  if (typeof value !== 'string') return value;
  const { escaped, what } = PLACE_ALONE.exec(value)?.groups ?? {};
  const whole = escaped === '' && what !== undefined ? lookUp(what, source) : undefined;
  return whole === undefined ? fillText(value, source, missing) : whole;
}

/** Fills every template in a text, or in the texts within an object. */
export function fill(value: unknown, source: TemplateSource): Filled<unknown> {
  const missing = new Set<string>();
  const filled = fillDeep(value, source, missing);
  if (missing.size === 0) return { ok: true, value: filled };
  const known = Object.keys(source.values).join(', ') || 'none';
  return { ok: false, problem: `nothing found for ${[...missing].join(', ')} (captured groups: ${known})` };
}
