import { actions } from './en/actions.ts';
import { board } from './en/board.ts';
import { contract } from './en/contract.ts';
import { create } from './en/create.ts';
import { diff } from './en/diff.ts';
import { events } from './en/events.ts';
import { files } from './en/files.ts';
import { inbox } from './en/inbox.ts';
import { item } from './en/item.ts';
import { proof } from './en/proof.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { timeline } from './en/timeline.ts';
import { actions as actionsZh } from './zh-hans/actions.ts';
import { board as boardZh } from './zh-hans/board.ts';
import { contract as contractZh } from './zh-hans/contract.ts';
import { create as createZh } from './zh-hans/create.ts';
import { diff as diffZh } from './zh-hans/diff.ts';
import { events as eventsZh } from './zh-hans/events.ts';
import { files as filesZh } from './zh-hans/files.ts';
import { inbox as inboxZh } from './zh-hans/inbox.ts';
import { item as itemZh } from './zh-hans/item.ts';
import { proof as proofZh } from './zh-hans/proof.ts';
import { settings as settingsZh } from './zh-hans/settings.ts';
import { shell as shellZh } from './zh-hans/shell.ts';
import { timeline as timelineZh } from './zh-hans/timeline.ts';

/**
 * Every string of the page, a file for each part of it. Nouns are the domain's (a WorkItem is said "work" to people);
 * buttons are verbs with their object; a refusal says what was expected, what was found and what to do next.
 */
export const en = {
  ...shell,
  ...board,
  ...proof,
  ...item,
  ...actions,
  ...timeline,
  ...inbox,
  ...settings,
  ...create,
  ...files,
  ...diff,
  ...contract,
  ...events,
} as const;

/** The same keys, other words. */
export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };

/** 简体中文. */
export const zhHans: Words<typeof en> = {
  ...shellZh,
  ...boardZh,
  ...proofZh,
  ...itemZh,
  ...actionsZh,
  ...timelineZh,
  ...inboxZh,
  ...settingsZh,
  ...createZh,
  ...filesZh,
  ...diffZh,
  ...contractZh,
  ...eventsZh,
};
