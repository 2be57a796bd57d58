/** The one span redactor (D38): it replaces what looks like a secret and leaves the text around it alone. */

export const REDACTED = '[redacted]';

/** Shorter values would blank out ordinary words. */
const MIN_SECRET_CHARS = 6;
/** An unfinished line longer than this is redacted in parts. */
const LINE_MAX_CHARS = 65_536;
/** Kept back from such a part, so that no token is cut in two. */
const CARRY_CHARS = 4_096;
const KEY_LINES_MAX = 200;

const SENSITIVE =
  'api[-_]?key|access[-_]?key|secret[-_]?key|private[-_]?key|client[-_]?secret|secret|signature|sig|' +
  'credentials?|passwd|passphrase|password|_pwd|token|authorization|cookie|auth';
/** A whole name that ends in a sensitive word: `DB_PASSWORD`, `x-api-key`, `accessToken`. Tried once per name, so linear. */
const NAME = `(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]*?(?:${SENSITIVE})`;
const VALUE = `"(?:[^"\\\\\\r\\n]|\\\\.)*(?:"|$)|'[^'\\r\\n]*(?:'|$)|[^\\s"'&,;]+`;
const ASSIGNED = new RegExp(`(${NAME}["']?[^\\S\\r\\n]{0,8}(?:=|:)[^\\S\\r\\n]{0,8})(${VALUE})`, 'gim');

/** Whole lines: the value of these headers may have spaces. */
const HEADER =
  /((?:proxy-)?authorization["']?[^\S\r\n]*:[^\S\r\n]*["']?|(?:set-)?cookie["']?[^\S\r\n]*:[^\S\r\n]*["']?)[^\r\n"']+/gi;
const BEARER = /\b((?:bearer|basic)[^\S\r\n]+)[A-Za-z0-9+/=_.~-]{8,}/gi;
const USER_INFO = /\b([a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/?#@"']+@/gi;
const QUERY_CODE = /([?&](?:code|key|sig)=)[^\s&#"']+/gi;
const TOKEN_SHAPES = new RegExp(
  [
    'sk-[A-Za-z0-9_-]{16,}',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}',
    'gh[pousr]_[A-Za-z0-9]{20,}',
    'github_pat_[A-Za-z0-9_]{20,}',
    'glpat-[A-Za-z0-9_-]{16,}',
    'xox[abeoprs]-[A-Za-z0-9-]{10,}',
    'npm_[A-Za-z0-9]{30,}',
    'wc_[0-9a-f]{8}_[A-Za-z0-9_-]{40,}',
    'hf_[A-Za-z0-9]{20,}',
    'whsec_[A-Za-z0-9+/=]{24,}',
    'pypi-[A-Za-z0-9_-]{30,}',
    'A(?:KIA|SIA)[0-9A-Z]{16}',
    'AIza[0-9A-Za-z_-]{30,}',
    'ya29\\.[0-9A-Za-z_-]{20,}',
    'eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
  ]
    .map((shape) => `(?<![A-Za-z0-9])${shape}`)
    .join('|'),
  'g',
);
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
const KEY_END = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
const KEY_INLINE = new RegExp(`${KEY_BEGIN.source}[^\\r\\n]*?${KEY_END.source}`, 'g');
/** What may stand between the two: base64, armour headers, nothing. */
const KEY_MATERIAL = /^\s*(?:[A-Za-z0-9+/=]*|[A-Za-z-]+: [^\r\n]*)\s*$/;

/** Values of variables whose names say that they are secret; what a plan declares belongs to the secrets of a Run. */
export function secretValues(env: Readonly<Record<string, string>>): string[] {
  const secretName = new RegExp(`(?:${SENSITIVE})$`, 'i');
  return Object.entries(env).flatMap(([name, value]) => (secretName.test(name) && value !== '' ? [value] : []));
}

export interface Redactor {
  /** Takes the next chunk; gives back what can be shown: everything up to the last line break. */
  push(chunk: string): string;
  /** The rest. */
  end(): string;
}

/** Redacts a whole text. Idempotent. `secrets` are literal values; those shorter than six characters are ignored. */
export function redact(text: string, secrets: readonly string[]): string {
  const redactor = createRedactor(secrets);
  return redactor.push(text) + redactor.end();
}

/** For streams: a secret that arrives in two chunks is found, because only whole lines are let out. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const literals = literalForms(secrets);
  const lines = lineRedactor(literals);
  let pending = '';
  const take = (cut: number): string => {
    const ready = pending.slice(0, cut);
    pending = pending.slice(cut);
    return lines(ready);
  };
  return {
    push(chunk) {
      pending += chunk;
      const broken = Math.max(pending.lastIndexOf('\n'), pending.lastIndexOf('\r', pending.length - 2)) + 1;
      const out = broken > 0 ? take(broken) : '';
      return pending.length > LINE_MAX_CHARS ? out + take(safeCut(pending, literals)) : out;
    },
    end: () => take(pending.length),
  };
}

/** Longest first. Each line of a secret counts alone: output may indent or quote them. */
function literalForms(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/)).map((line) => line.trim());
  const forms = lines.flatMap((line) => [line, urlForm(line), JSON.stringify(line).slice(1, -1)]);
  const usable = forms.filter((form) => form.length >= MIN_SECRET_CHARS && !REDACTED.includes(form));
  return [...new Set(usable)].sort((a, b) => b.length - a.length);
}

/** Half a surrogate pair has no URL form. */
function urlForm(text: string): string {
  return /\p{Cs}/u.test(text) ? text : encodeURIComponent(text);
}

/** A place where no literal secret and no `name: value` is cut in two. */
function safeCut(text: string, literals: readonly string[]): number {
  const room = text.length - Math.max(CARRY_CHARS, literals[0]?.length ?? 0);
  const blank = text.slice(0, room).search(/(?<![:=]|bearer|basic|\s)\s\S*$/i);
  let cut = blank > 0 ? blank : Math.max(room, 1);
  for (const secret of literals) {
    const at = text.indexOf(secret, Math.max(cut - secret.length, 0));
    if (at > 0 && at < cut) cut = at;
  }
  return cut;
}

function redactSpans(text: string, literals: readonly string[]): string {
  let out = text;
  for (const secret of literals) out = out.replaceAll(secret, REDACTED);
  return out
    .replace(KEY_INLINE, REDACTED)
    .replace(HEADER, `$1${REDACTED}`)
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(TOKEN_SHAPES, REDACTED)
    .replace(QUERY_CODE, `$1${REDACTED}`)
    .replace(ASSIGNED, (_, name: string, value: string) => name + hidden(value));
}

/** Keeps the quotes, and words that cannot be a secret. */
function hidden(value: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  const bare = quote === '' ? value : value.slice(1, value.endsWith(quote) && value.length > 1 ? -1 : undefined);
  if (/^(?:null|undefined|true|false|none|\d{0,3}|[{[(]+|\[redacted\])$/i.test(bare)) return value;
  return `${quote}${REDACTED}${quote}`;
}

/** Redacts runs of lines; remembers whether it is inside a private key. */
function lineRedactor(literals: readonly string[]): (text: string) => string {
  let keyLines = 0;
  const line = (text: string): string => {
    if (keyLines > 0) {
      const end = KEY_END.exec(text);
      keyLines = end || keyLines >= KEY_LINES_MAX || !KEY_MATERIAL.test(text) ? 0 : keyLines + 1;
      if (keyLines > 0) return '';
      return line(end ? text.slice(end.index + end[0].length) : text);
    }
    const spans = redactSpans(text, literals);
    const begin = KEY_BEGIN.exec(spans);
    if (!begin) return spans;
    keyLines = 1;
    return `${spans.slice(0, begin.index)}${REDACTED}\n`;
  };
  return (text) => {
    if (keyLines === 0 && !KEY_BEGIN.test(text)) return redactSpans(text, literals);
    return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(line).join('');
  };
}
