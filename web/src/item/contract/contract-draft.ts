import type { Contract } from '../../../../src/client/index.ts';
import type { ContractForm } from './contract-form.ts';

/** What is being written, and the contract that it was read from. */
export interface ContractDraft {
  readonly base: Contract;
  readonly form: ContractForm;
}

const key = (itemId: string): string => `workcenter.contract.${itemId}`;

const isDraft = (value: unknown): value is ContractDraft =>
  typeof value === 'object' && value !== null && 'base' in value && 'form' in value;

/** Kept over reloads in this browser. */
export function contractDraftOf(itemId: string): ContractDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(itemId)) ?? 'null');
    return isDraft(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

export function keepContractDraft(itemId: string, draft: ContractDraft | undefined): void {
  try {
    if (draft) localStorage.setItem(key(itemId), JSON.stringify(draft));
    else localStorage.removeItem(key(itemId));
  } catch {
    // Without storage a draft lives as long as the page.
  }
}
