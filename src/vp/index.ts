/** The front door of VPs: what the other layers may use. */
export * from './assign.ts';
export { capabilityScore, KNOWN_CAPABILITIES } from './capabilities.ts';
export * from './inventory.ts';
export { newVpText, type VpDraft } from './new-vp-text.ts';
export { type ParsedVp, parseVp } from './parse-vp.ts';
export * from './registry.ts';
export { TOOL_NAMES, type ToolName } from './tool-names.ts';
export * from './vp.ts';
export { formatVpProblem, type VpProblem } from './vp-problem.ts';
export { type VpDestination, type VpWritten, writeVp, writeVpText } from './write-vp.ts';
