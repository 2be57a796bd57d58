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

/** What a link brings along: the examples of the empty board. */
export interface Example {
  readonly goal: string;
  readonly criterion: string;
}

export const exampleForm = ({ goal, criterion }: Example): Form => ({
  ...blankForm(recall('directory')),
  goal,
  criteria: [blankCriterion(criterion)],
});

export type Change = (change: (form: Form) => Form) => void;

interface Kept {
  readonly form: Form;
  readonly change: Change;
  /** False: this browser keeps nothing. */
  readonly isKept: boolean;
  /** A draft of earlier is in the way of the example of the link. */
  readonly isInTheWay: boolean;
  readonly takeExample: () => void;
  readonly discard: () => void;
  /** It became an item: it is no draft any more. */
  readonly finish: () => void;
}

/** The form, kept in this browser at every change until it is created or discarded. */
export function useForm(example: Example | undefined): Kept {
  const [before] = useState(() => keptForm(storage));
  const isFresh = before === undefined || isBlank(before);
  const [form, setForm] = useState(() =>
    isFresh ? (example ? exampleForm(example) : blankForm(recall('directory'))) : before,
  );
  const [isInTheWay, setInTheWay] = useState(!isFresh && example !== undefined && before.goal !== example.goal);
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
    takeExample: () => replace(example ? exampleForm(example) : blankForm()),
    discard: () => replace(blankForm(recall('directory'))),
    finish: () => {
      ended.current = true;
      forgetForm(storage);
    },
  };
}
