import { useEffect, useState } from 'react';
import type { Contract } from '../../../../src/client/index.ts';
import { browserStorage } from '../../shell/browser-storage.ts';
import { firstFree, hold, letGo } from '../../shell/claims.ts';
import { keepAt, keptAt } from '../../shell/kept.ts';
import { forgetStored, readStored, store, storedUnder } from '../../shell/stored.ts';
import type { ContractForm } from './contract-form.ts';

/** What is being written, and the contract that it was read from. */
export interface ContractDraft {
  readonly base: Contract;
  readonly form: ContractForm;
}

const storage = browserStorage();
const prefixOf = (itemId: string): string => `workcenter.contract.${itemId}.`;
/** Where a tab keeps which draft is its own, over reloads. */
const mineOf = (itemId: string): string => `contract.${itemId}`;

function nameOf(itemId: string): string | undefined {
  const name = keptAt(mineOf(itemId));
  return typeof name === 'string' ? name : undefined;
}

const isDraft = (value: unknown): value is ContractDraft =>
  typeof value === 'object' && value !== null && 'base' in value && 'form' in value;

/** What is being written in this tab, kept over reloads in this browser. */
export function contractDraftOf(itemId: string): ContractDraft | undefined {
  const name = nameOf(itemId);
  const value = name === undefined ? undefined : readStored(storage.getItem(name))?.value;
  return isDraft(value) ? value : undefined;
}

/** Without storage a draft lives as long as the page. */
export function keepContractDraft(itemId: string, draft: ContractDraft | undefined): void {
  const name = nameOf(itemId) ?? prefixOf(itemId) + crypto.randomUUID();
  keepAt(mineOf(itemId), draft && name);
  if (draft) {
    store(storage, name, draft);
    hold(name);
  } else {
    forgetStored(storage, name);
    letGo(name);
  }
}

/** A tab without a draft goes on with the latest that no open tab is writing. */
async function takeUp(itemId: string): Promise<void> {
  const mine = nameOf(itemId);
  if (mine !== undefined) return hold(mine);
  const left = storedUnder(storage, prefixOf(itemId)).map(({ id }) => prefixOf(itemId) + id);
  const free = await firstFree(left);
  if (free !== undefined) keepAt(mineOf(itemId), free);
}

/** Whether it is known what to go on with: no sooner may anything be written. */
export function useTakenUp(itemId: string): boolean {
  const [known, setKnown] = useState<string>();
  useEffect(() => {
    void takeUp(itemId).then(() => setKnown(itemId));
  }, [itemId]);
  return known === itemId;
}
