import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Contract, type Item, onceUnder } from '../../../../src/client/index.ts';
import { asked, client, problemOf } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import css from './contract.module.css';
import { ContractConflict } from './contract-conflict.tsx';
import { type ContractDraft, contractDraftOf, keepContractDraft } from './contract-draft.ts';
import { formOf, patchOf, rebased } from './contract-form.ts';
import { CriteriaEditor } from './criteria-editor.tsx';

interface Props {
  readonly item: Item;
  /** As it is now; it may move while one writes. */
  readonly contract: Contract;
  readonly onClose: () => void;
}

/** One request under one key: the same words against the same version, sent twice, count once. */
const send = (id: string, { base, form }: ContractDraft, key: string): Promise<Contract> =>
  asked(
    client.patch('/api/v1/work-items/{id}/contract', {
      params: { path: { id }, header: { ...onceUnder(key), 'if-match': `"${base.version}"` } },
      body: patchOf(base, form),
    }),
  );

/** Editing where it is read. Nothing is sent before it is saved; what is written survives a reload and a conflict. */
export function ContractEditor({ item, contract, onClose }: Props) {
  const t = useTranslations('contract');
  const [draft, setDraft] = useState<ContractDraft>(
    () => contractDraftOf(item.id) ?? { base: contract, form: formOf(contract) },
  );
  const [key, setKey] = useState(() => crypto.randomUUID());
  const keep = (next: ContractDraft): void => {
    setDraft(next);
    setKey(crypto.randomUUID());
    keepContractDraft(item.id, next);
  };
  const close = (): void => {
    keepContractDraft(item.id, undefined);
    onClose();
  };
  const save = useMutation({
    mutationFn: () => send(item.id, draft, key),
    onSuccess: (saved) => {
      queryClient.setQueryData(['item', item.id, 'contract'], saved);
      void queryClient.invalidateQueries({ queryKey: ['item', item.id] });
      close();
    },
    // Somebody was faster: what they wrote is read, and shown beside what was written here.
    onError: () => queryClient.invalidateQueries({ queryKey: ['item', item.id, 'contract'] }),
  });
  const { base, form } = draft;
  const isStale = base.version !== contract.version;
  const isChanged = Object.keys(patchOf(base, form)).length > 0;
  const can = item.can.edit;
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {isStale && (
        <ContractConflict
          draft={draft}
          theirs={contract}
          onTake={() => keep({ base: contract, form: rebased(base, form, contract) })}
          onDiscard={close}
        />
      )}
      <Fields draft={draft} onChange={(part) => keep({ base, form: { ...form, ...part } })} />
      {save.error && !isStale && <ProblemNotice problem={problemOf(save.error)} />}
      {!can.allowed && <p className={css.why}>{t('cannot', { reason: can.reason })}</p>}
      <div className={css.buttons}>
        <Button type="submit" look="primary" busy={save.isPending} disabled={!isChanged || isStale || !can.allowed}>
          {t('save')}
        </Button>
        <Button look="quiet" onClick={close}>
          {isChanged ? t('discard') : t('close')}
        </Button>
        <span className="small muted">{t('consequence')}</span>
      </div>
    </form>
  );
}

const TARGETS = ['workspace_files', 'response', 'pull_request', 'merge'] as const;

interface FieldsProps {
  readonly draft: ContractDraft;
  readonly onChange: (part: Partial<ContractDraft['form']>) => void;
}

function Fields({ draft: { base, form }, onChange }: FieldsProps) {
  const t = useTranslations('contract');
  const id = useId();
  return (
    <>
      <label>
        {t('part.title')}
        <input
          value={form.title}
          maxLength={200}
          dir="auto"
          onChange={(event) => onChange({ title: event.target.value })}
        />
      </label>
      <label>
        {t('part.goal')}
        <textarea
          value={form.goal}
          rows={4}
          maxLength={8_000}
          required
          dir="auto"
          onChange={(event) => onChange({ goal: event.target.value })}
        />
      </label>
      <CriteriaEditor base={base} form={form} onChange={(criteria) => onChange({ criteria })} />
      <label>
        {t('part.setup')}
        <textarea
          className="mono"
          value={form.setup}
          rows={1}
          maxLength={8_000}
          spellCheck={false}
          onChange={(event) => onChange({ setup: event.target.value })}
        />
      </label>
      <div className={css.two}>
        <label htmlFor={`${id}-target`}>
          {t('part.delivery')}
          <select
            id={`${id}-target`}
            value={form.target}
            onChange={(event) => {
              const target = TARGETS.find((each) => each === event.target.value);
              if (target) onChange({ target });
            }}
          >
            {TARGETS.map((target) => (
              <option key={target} value={target}>
                {t(`target.${target}`)}
              </option>
            ))}
          </select>
        </label>
        {form.target === 'merge' && (
          <label>
            {t('branch')}
            <input
              className="mono"
              value={form.branch}
              maxLength={256}
              spellCheck={false}
              onChange={(event) => onChange({ branch: event.target.value })}
            />
          </label>
        )}
      </div>
      <label>
        {t('part.instructions')}
        <textarea
          value={form.instructions}
          rows={3}
          maxLength={20_000}
          dir="auto"
          onChange={(event) => onChange({ instructions: event.target.value })}
        />
      </label>
    </>
  );
}
