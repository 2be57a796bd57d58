import type { ModelMessage } from '../../src/model/index.ts';
import type { RecordedRequest } from '../../src/testing.ts';

const HEADS = {
  coordinator: `# A whole Coordinator request

What the Coordinator is sent in the second turn of \`workcenter demo\`: both bugs are mended and merged, one claim was
refused on the way, the engine has run all checks, and nobody has reviewed the work yet.`,
  agent: `# A whole agent request

What the built-in agent is sent for its second answer as the reviewer in \`workcenter demo\`: who it is, its Action and what
it should know of the rest, and its first tool call with what that said.`,
};

const ORIGIN = `This page is made of the request itself by \`test/demo/demo-goal.e2e.test.ts\`, which fails when it is no longer true;
\`npx vitest run test/demo -u\` writes it anew. Ids, hashes, dates and paths are replaced by stable ones, and what checks printed is left out.`;

const fence = (text: string, language = 'text'): string => `\`\`\`\`\`${language}\n${text.trim()}\n\`\`\`\`\``;

function messageText(message: ModelMessage): string {
  if (message.role === 'tool')
    return message.results.map(({ name, text }) => `[result of ${name}]\n${text}`).join('\n\n');
  return message.parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'tool_call') return `[calls ${part.name}] ${JSON.stringify(part.input)}`;
      return `[${part.kind}]`;
    })
    .join('\n\n');
}

const SHOWN_ABOVE: ReadonlySet<string> = new Set(['system', 'messages', 'tools']);

/** Everything of the body but the words and the tools. */
function settings({ body }: RecordedRequest): string {
  const rest = Object.entries(body).filter(([key]) => !SHOWN_ABOVE.has(key));
  return JSON.stringify(Object.fromEntries(rest), null, 2);
}

function toolLines({ body }: RecordedRequest): string {
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  return tools.map((tool) => JSON.stringify(tool)).join('\n');
}

/** The end of a log is cut by bytes, and how long its lines are depends on how long the tests took. */
const PRINTED = '(the end of what the check printed)';
const withoutLogs = (text: string): string =>
  text
    .replace(/"evidence":"(?:[^"\\]|\\.)*duration_ms(?:[^"\\]|\\.)*"/g, `"evidence":"${PRINTED}"`)
    .replace(
      /(<untrusted source="what was said about \w+">\n)[^<]*duration_ms[^<]*\n(?=<\/untrusted>)/g,
      `$1${PRINTED}\n`,
    );

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

function stable(text: string, { root, item }: { readonly root: string; readonly item: string }): string {
  return withoutLogs(text)
    .replaceAll(root, '/demo')
    .replaceAll(item, 'ITEM')
    .replace(UUID, 'RUN')
    .replace(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7}\b(?= \d{4}-)/g, 'COMMIT')
    .replace(/\bcall_\d+_\d+_(\d+)\b/g, 'call_$1')
    .replace(/\b20\d\d-\d\d-\d\d\b/g, '2026-01-05');
}

/** A request as a page of the documentation, the same from run to run. */
export function requestPage(
  kind: keyof typeof HEADS,
  request: RecordedRequest,
  places: { readonly root: string; readonly item: string },
): string {
  const parts = [
    HEADS[kind],
    ORIGIN,
    '## The system prompt',
    fence(request.system),
    '## The conversation',
    ...request.messages.flatMap((message) => [`From: ${message.role}`, fence(messageText(message))]),
    '## The tools, one a line',
    fence(toolLines(request), 'json'),
    '## The rest of the body',
    fence(settings(request), 'json'),
  ];
  return `${stable(parts.join('\n\n'), places)}\n`;
}
