import { type AgentTool, asTool } from '../../tool.ts';
import { applyPatchTool } from './apply-patch.ts';
import { editTool } from './edit.ts';
import { gitReadTool } from './git-read.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { listTool } from './list.ts';
import { readTool } from './read.ts';
import { viewImageTool } from './view-image.ts';
import { writeTool } from './write.ts';

/** Everything the built-in agent can do with files by itself, in the order in which a model is told. */
export const fileTools: readonly AgentTool[] = [
  asTool(readTool),
  asTool(listTool),
  asTool(globTool),
  asTool(grepTool),
  asTool(gitReadTool),
  asTool(viewImageTool),
  asTool(editTool),
  asTool(applyPatchTool),
  asTool(writeTool),
];
