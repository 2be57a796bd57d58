import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { browserStorage } from '../shell/browser-storage.ts';
import { keepAt, keptAt } from '../shell/kept.ts';
import { recall } from '../shell/remember.ts';
import { blankCriterion, blankForm, type Form, isBlank, leftAfter, newKey } from './form.ts';
import { forgetForm, keepForm, keptForm, keptForms, toldOf } from './stored-draft.ts';

const storage = browserStorage();

/** What a link brings along: an example of the empty board, or where done work is to be followed by more. */
export interface Start {
  readonly goal: string;
  readonly criterion: string;
  /** '': the one that was used last. */
  readonly directory: string;
}

export const formOf = ({ goal, criterion, directory }: Start): Form => ({
  ...blankForm(directory || recall('directory')),
  goal,
  criteria: [blankCriterion(criterion)],
});

export type Change = (change: (form: Form) => Form) => void;

interface Kept {
  readonly form: Form;
  readonly change: Change;
  /** False: this browser keeps nothing. */
  readonly isKept: boolean;
  /** A draft of earlier is in the way of what the link brings. */
  readonly isInTheWay: boolean;
  readonly takeStart: () => void;
  readonly discard: () => void;
  /** Other drafts of this browser, of other tabs and of before. */
  readonly others: readonly Form[];
  /** Leaves this draft as it is for another one. */
  readonly turnTo: (other: Form) => void;
  /** What was sent became an item: it is no draft any more. What was typed since is another one. */
  readonly finish: (sent: Form) => void;
}

/** Where a tab keeps which draft is its own, over reloads. */
const MINE = 'create.draft';

function keptHere(): Form | undefined {
  const mine = keptAt(MINE);
  return typeof mine === 'string' ? keptForm(storage, mine) : undefined;
}

/** The form that another tab may write, too; what comes from there is not written back. */
function useShared(initial: () => Form) {
  const [form, setForm] = useState(initial);
  const [others, setOthers] = useState(() => keptForms(storage));
  const [isKept, setKept] = useState(true);
  const [fromElsewhere] = useState(() => new WeakSet<Form>());
  const ended = useRef(false);
  const take = (next: Form): void => {
    fromElsewhere.add(next);
    setForm(next);
  };
  useEffect(() => {
    if (ended.current || fromElsewhere.has(form)) return;
    if (isBlank(form)) forgetForm(storage, form);
    else setKept(keepForm(storage, form));
    keepAt(MINE, form.key);
  }, [form, fromElsewhere]);
  const hear = useEffectEvent((event: StorageEvent): void => {
    setOthers(keptForms(storage));
    const told = toldOf(form, event);
    // Another tab created or discarded the draft that both show: what stands here is another one from now on.
    if (told === 'gone') setForm({ ...form, key: newKey() });
    else if (told !== undefined) take(told);
  });
  useEffect(() => {
    const heard = (event: StorageEvent): void => hear(event);
    window.addEventListener('storage', heard);
    return () => window.removeEventListener('storage', heard);
  }, []);
  const finish = (sent: Form): void => {
    ended.current = true;
    forgetForm(storage, sent);
    // This tab turned to another draft meanwhile, and that one is kept.
    if (form.key !== sent.key) return;
    const left = leftAfter(sent, form);
    if (left) keepForm(storage, left);
    keepAt(MINE, left?.key);
  };
  return { form, setForm, others, setOthers, isKept, finish };
}

/**
 * The form, kept in this browser at every change until it is created or discarded. `onTaken` hears when what the link
 * brings is part of the draft: after a reload it would be in the way of that very draft.
 */
export function useForm(start: Start | undefined, onTaken: () => void): Kept {
  const [before] = useState(keptHere);
  const isFresh = before === undefined || isBlank(before);
  const shared = useShared(() => (isFresh ? (start ? formOf(start) : blankForm(recall('directory'))) : before));
  const { form, setForm, isKept, finish } = shared;
  const [isInTheWay, setInTheWay] = useState(!isFresh && start !== undefined && before.goal !== start.goal);
  const isTaken = start !== undefined && !isInTheWay && !isBlank(form);
  const taken = useEffectEvent(onTaken);
  useEffect(() => {
    if (isTaken) taken();
  }, [isTaken]);
  const turnTo = (next: Form): void => {
    setInTheWay(false);
    setForm(next);
    shared.setOthers(keptForms(storage));
  };
  const replace = (next: Form): void => {
    forgetForm(storage, form);
    turnTo(next);
  };
  return {
    ...{ form, change: setForm, isKept, isInTheWay, turnTo, finish },
    others: shared.others.filter(({ key }) => key !== form.key),
    takeStart: () => replace(start ? formOf(start) : blankForm()),
    discard: () => replace(blankForm(recall('directory'))),
  };
}
