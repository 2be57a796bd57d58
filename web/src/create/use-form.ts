import { useEffect, useRef, useState } from 'react';
import { recall } from '../shell/remember.ts';
import { blankCriterion, blankForm, type Form, isBlank, newKey } from './form.ts';
import { type DraftStorage, forgetForm, isDraftKey, keepForm, keptForm } from './stored-draft.ts';

const NOWHERE: DraftStorage = {
  getItem: () => null,
  setItem: () => {
    throw new Error('Nothing is kept.');
  },
  removeItem: () => undefined,
};

/** Some browsers refuse even to name their storage. */
function browserStorage(): DraftStorage {
  try {
    return localStorage;
  } catch {
    return NOWHERE;
  }
}

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
  /** It became an item: it is no draft any more. */
  readonly finish: () => void;
}

/** The form, kept in this browser at every change until it is created or discarded. */
export function useForm(start: Start | undefined): Kept {
  const [before] = useState(() => keptForm(storage));
  const isFresh = before === undefined || isBlank(before);
  const [form, setForm] = useState(() => (isFresh ? (start ? formOf(start) : blankForm(recall('directory'))) : before));
  const [isInTheWay, setInTheWay] = useState(!isFresh && start !== undefined && before.goal !== start.goal);
  const [isKept, setKept] = useState(true);
  const ended = useRef(false);
  useEffect(() => {
    if (ended.current) return;
    if (isBlank(form)) forgetForm(storage);
    else setKept(keepForm(storage, form));
  }, [form]);
  useEffect(() => {
    // Another tab created or discarded the draft that both show: what is typed here is another one from now on.
    const heard = ({ key, newValue }: StorageEvent): void => {
      if (isDraftKey(key) && newValue === null) setForm((now) => ({ ...now, key: newKey() }));
    };
    window.addEventListener('storage', heard);
    return () => window.removeEventListener('storage', heard);
  }, []);
  const replace = (next: Form): void => {
    forgetForm(storage);
    setInTheWay(false);
    setForm(next);
  };
  return {
    ...{ form, change: setForm, isKept, isInTheWay },
    takeStart: () => replace(start ? formOf(start) : blankForm()),
    discard: () => replace(blankForm(recall('directory'))),
    finish: () => {
      ended.current = true;
      forgetForm(storage);
    },
  };
}
