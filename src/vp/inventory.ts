import { capabilityScore } from './capabilities.ts';
import { byId, type Vp } from './vp.ts';

/** What the Coordinator is told of a VP: enough to choose it, never its persona, command or variables. */
export interface InventoryEntry {
  /** Whole, so that it can be given back. */
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly capabilities: readonly string[];
  readonly traits?: readonly string[];
  readonly executor: Vp['executor']['kind'];
  /** Absent: everything its Action's mode allows. */
  readonly tools?: readonly string[];
}

export interface Inventory {
  /** The most relevant first. */
  readonly vps: readonly InventoryEntry[];
  readonly omitted: number;
}

export const INVENTORY_LIMITS = Object.freeze({
  vps: 48,
  bytes: 8_192,
  name: 120,
  role: 200,
  traits: 8,
  trait: 80,
  capabilities: 8,
  tools: 16,
});

/**
 * The VPs as the Coordinator sees them, within 48 entries and 8 KiB of JSON. Those that fit one of `capabilities` (of
 * the remaining criteria, say) come first, then by id: what is left out is what matters least.
 */
export function inventoryOf(vps: readonly Vp[], capabilities: readonly string[] = []): Inventory {
  const entries: InventoryEntry[] = [];
  let bytes = jsonBytes({ vps: [], omitted: vps.length });
  for (const vp of byRelevance(vps, capabilities).slice(0, INVENTORY_LIMITS.vps)) {
    const entry = entryOf(vp);
    bytes += jsonBytes(entry) + 1;
    if (bytes > INVENTORY_LIMITS.bytes) break;
    entries.push(entry);
  }
  return { vps: entries, omitted: vps.length - entries.length };
}

const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

function byRelevance(vps: readonly Vp[], capabilities: readonly string[]): readonly Vp[] {
  const scored = vps.map((vp) => ({
    vp,
    score: Math.max(0, ...capabilities.map((capability) => capabilityScore(vp.capabilities, capability))),
  }));
  return scored.sort((a, b) => b.score - a.score || byId(a.vp, b.vp)).map(({ vp }) => vp);
}

function entryOf({ id, name, role, capabilities, traits, executor, tools }: Vp): InventoryEntry {
  const limits = INVENTORY_LIMITS;
  return {
    id,
    name: cut(name, limits.name),
    role: cut(role, limits.role),
    capabilities: capabilities.slice(0, limits.capabilities),
    ...(traits && { traits: traits.slice(0, limits.traits).map((trait) => cut(trait, limits.trait)) }),
    executor: executor.kind,
    ...(tools && { tools: tools.slice(0, limits.tools) }),
  };
}

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);
