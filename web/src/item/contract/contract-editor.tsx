import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Contract, type Item, onceUnder } from '../../../../src/client/index.ts';
import { asked, client, problemOf } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import css from './contract.module.css';
import { ContractConflict } from './contract-conflict.tsx';
import { type ContractDraft, contractDraftOf, keepContractDraft } from './contract-draft.ts';
import { ContractFields } from './contract-fields.tsx';
import { formOf, patchOf, rebased, writtenSince } from './contract-form.ts';

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
  const isThere = useIsThere();
  const save = useMutation({
    mutationFn: (sent: ContractDraft) => send(item.id, sent, key),
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(['item', item.id, 'contract'], saved);
      void queryClient.invalidateQueries({ queryKey: ['item', item.id] });
      const since = writtenSince(sent.form, draft.form, saved);
      if (since) return keep({ base: saved, form: since });
      keepContractDraft(item.id, undefined);
      if (isThere.current) onClose();
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
        if (!save.isPending) save.mutate(draft);
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
      <ContractFields draft={draft} onChange={(part) => keep({ base, form: { ...form, ...part } })} />
      {save.error && !isStale && <ProblemNotice problem={problemOf(save.error)} />}
      {save.data && <p role="status">{t('savedNotThis', { n: save.data.version })}</p>}
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

/** Whoever went elsewhere while it was saved stays there. */
function useIsThere() {
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return isThere;
}
