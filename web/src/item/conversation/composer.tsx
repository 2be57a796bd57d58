import { X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { AttachButton } from '../../attachments/attach-button.tsx';
import { FileList } from '../../attachments/file-list.tsx';
import { holdsFiles, takeDropped, takePasted } from '../../attachments/taken-files.ts';
import { isGoing, useUploads } from '../../attachments/use-uploads.ts';
import { Button, ButtonLink, IconButton } from '../../components/button.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { LimitedText } from '../../components/limited-text.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import css from './conversation.module.css';
import type { MessageDraft } from './draft.ts';
import { changeDraft, useMessageDraft } from './message-draft.ts';
import { send } from './outbox.ts';
import { Quoted } from './quoted.tsx';
import { TargetChip } from './target-chip.tsx';
import { TargetNotice } from './target-notice.tsx';
import { useTargetState } from './use-target-state.ts';
import { useWriteTo } from './write-to.ts';

const MOST_CHARS = 8_000;

/** Sends what is written; the target stays for the next words. */
function sendDraft(itemId: string, draft: MessageDraft): void {
  const { files, quote, target } = draft;
  const clientMessageId = crypto.randomUUID();
  send({
    ...{ itemId, clientMessageId, text: draft.text.trim(), files },
    target: target
      ? { kind: 'action', actionId: target.actionId, generation: target.generation }
      : { kind: 'coordinator' },
    ...(target ? { whom: target.name } : {}),
    ...(quote ? { quote } : {}),
    ...(files.length > 0 ? { attachments: files.map(({ id }) => id) } : {}),
  });
  changeDraft(itemId, () => ({ text: '', files: [], quote: null }));
}

/** The one place to write. Its target is always said, and changes only by choice. */
export function Composer({ item, onSent }: { readonly item: Item; readonly onSent: () => void }) {
  const t = useTranslations('talk');
  const draft = useMessageDraft(item.id);
  const change = (part: Partial<MessageDraft>): void => changeDraft(item.id, () => part);
  const uploads = useUploads(draft.files, (files) => changeDraft(item.id, (now) => ({ files: files(now.files) })));
  const target = useTargetState(item, draft.target);
  const input = useRef<HTMLTextAreaElement>(null);
  useShortcuts({ composer: () => input.current?.focus() });
  // A frame later: on a phone the tab that it is on is opened first.
  useWriteTo(item.id, () => requestAnimationFrame(() => input.current?.focus()));
  const removeQuote = (): void => {
    change({ quote: null });
    input.current?.focus();
  };
  const isSaid = draft.text.trim() !== '' || draft.files.length > 0;
  const isReady = isSaid && target.state === 'hears' && !uploads.outgoing.some(isGoing);
  const submit = (): void => {
    if (!isReady) return;
    sendDraft(item.id, draft);
    onSent();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    submit();
  };
  if (draft.target === null && target.state === 'deaf') return <Closed item={item} reason={target.reason} />;
  return (
    <form
      className={css.composer}
      onPaste={(event) => takePasted(event, uploads.add)}
      onDragOver={(event) => {
        if (holdsFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => takeDropped(event, uploads.add)}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={css.box}>
        <QuoteToSend quote={draft.quote} onRemove={removeQuote} />
        <LimitedText
          ref={input}
          value={draft.text}
          rows={2}
          limit={MOST_CHARS}
          aria-label={t('label')}
          placeholder={t('placeholder')}
          onChange={(text) => change({ text })}
          onAttach={uploads.add}
          onKeyDown={press}
        />
        <FileList
          files={draft.files}
          uploads={uploads}
          onRemove={(gone) => changeDraft(item.id, ({ files }) => ({ files: files.filter(({ id }) => id !== gone) }))}
        />
        {draft.target && <TargetNotice itemId={item.id} target={draft.target} state={target} />}
        <div className={css.foot}>
          <TargetChip itemId={item.id} target={draft.target} />
          <AttachButton isSmall onFiles={uploads.add} />
          <span className={css.key}>
            <Kbd keys="mod+enter" />
          </span>
          <Button type="submit" look="primary" disabled={!isReady} className={css.send ?? ''}>
            {t('send')}
          </Button>
        </div>
      </div>
    </form>
  );
}

interface QuoteProps {
  readonly quote: MessageDraft['quote'];
  readonly onRemove: () => void;
}

function QuoteToSend({ quote, onRemove }: QuoteProps) {
  const t = useTranslations('talk');
  if (!quote) return null;
  return (
    <div className={css.quoting}>
      <Quoted quote={quote} />
      <IconButton label={t('removeQuote')} icon={<X size={14} aria-hidden />} onClick={onRemove} />
    </div>
  );
}

/** Nothing more can be said to it; what it leads to can be asked for as work of its own. */
function Closed({ item, reason }: { readonly item: Item; readonly reason: string }) {
  const t = useTranslations('talk');
  const { directory } = item;
  return (
    <div className={`${css.composer} ${css.closed}`}>
      <p className="muted">{t('closed', { reason })}</p>
      {item.status === 'done' && (
        <ButtonLink href={`/new?${new URLSearchParams({ directory })}`}>{t('followUp')}</ButtonLink>
      )}
    </div>
  );
}
