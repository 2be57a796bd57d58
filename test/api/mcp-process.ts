/** An MCP server in a process of its own. Arguments: the root of a rig, and `user` or `agent`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveMcpStdio } from '../../src/api/mcp/index.ts';
import { openWorldAt } from '../support/world.ts';
import { mcpDeps, USER } from './mcp-bench.ts';

const [root = '', kind] = process.argv.slice(2);
const world = await openWorldAt(root);
const { principal: _agent, ...deps } = mcpDeps(world, USER);
const { stdin, stdout } = process;
await serveMcpStdio({ ...deps, stdin, stdout, ...(kind === 'user' ? { principal: USER } : {}) });
await world.store.close();
await writeFile(join(root, 'ended'), 'in good order');
