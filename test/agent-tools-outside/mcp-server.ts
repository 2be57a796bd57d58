/** A real MCP server on standard input and output; run as a program by the tests. */
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'test', version: '1' });
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

server.registerTool(
  'echo',
  { description: 'Says it again.', inputSchema: { words: z.string() }, annotations: { readOnlyHint: true } },
  ({ words }) => text(`you said ${words}`),
);
server.registerTool('environment', {}, () => text(JSON.stringify(process.env)));
server.registerTool('write', { inputSchema: { path: z.string() } }, ({ path }) => {
  appendFileSync(path, 'written');
  return text('done');
});
server.registerTool('refuse', {}, () => ({ ...text('no such thing'), isError: true }));
server.registerTool('hang', {}, () => new Promise(() => {}));
server.registerTool('die', {}, () => process.exit(3));
server.registerTool('picture', {}, () => ({
  content: [
    { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    { type: 'image' as const, data: 'AAAA', mimeType: 'image/tiff' },
  ],
}));
server.registerTool('flood', {}, () => text('x'.repeat(3 * 1024 * 1024)));

process.stdout.write('this line is no message\n');
process.stderr.write(`a word of complaint with ${process.env.MY_TOKEN ?? 'nothing'}\n`);
if (process.argv[2] === 'never') setInterval(() => {}, 60_000);
else if (process.argv[2] === 'exit') process.exit(4);
else await server.connect(new StdioServerTransport());
