import { X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { AttachButton } from '../../attachments/attach-button.tsx';
import { FileList } from '../../attachments/file-list.tsx';
import type { SentFile } from '../../attachments/sent-file.ts';
import { holdsFiles, takeDropped, takePasted } from '../../attachments/taken-files.ts';
import { isGoing, useUploads } from '../../attachments/use-uploads.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import css from './conversation.module.css';
import { draftOf, keepDraft } from './drafts.ts';
import { send } from './outbox.ts';
import { aim, useTarget } from './target.ts';
import { useWriteTo } from './write-to.ts';

const MOST_CHARS = 8_000;

/** The one place to write. Its target is always said, and changes only by choice. */
export function Composer({ item }: { readonly item: Item }) {
  const t = useTranslations('talk');
  const [text, setText] = useState(() => draftOf(item.id));
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const uploads = useUploads(files, setFiles);
  const target = useTarget(item.id);
  const input = useRef<HTMLTextAreaElement>(null);
  useShortcuts({ composer: () => input.current?.focus() });
  // A frame later: on a phone the tab that it is on is opened first.
  useWriteTo(item.id, () => requestAnimationFrame(() => input.current?.focus()));
  // What an Action hears is for the server to say; the Coordinator may be deaf where an Action is not.
  const can = target ? ({ allowed: true } as const) : item.can.message;
  const write = (next: string): void => {
    setText(next);
    keepDraft(item.id, next);
  };
  const isReady = text.trim() !== '' && can.allowed && !uploads.outgoing.some(isGoing);
  const submit = (): void => {
    if (!isReady) return;
    const to = target
      ? ({ kind: 'action', actionId: target.actionId, generation: target.generation } as const)
      : ({ kind: 'coordinator' } as const);
    const attachments = files.map(({ id }) => id);
    const message = { itemId: item.id, target: to, text: text.trim(), clientMessageId: crypto.randomUUID() };
    send(attachments.length > 0 ? { ...message, attachments } : message);
    write('');
    setFiles([]);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    submit();
  };
  if (!can.allowed) return <Closed item={item} reason={can.reason} />;
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
        <textarea
          ref={input}
          value={text}
          rows={2}
          maxLength={MOST_CHARS}
          aria-label={t('label')}
          placeholder={t('placeholder')}
          onChange={(event) => write(event.target.value)}
          onKeyDown={press}
        />
        <FileList
          files={files}
          uploads={uploads}
          onRemove={(gone) => setFiles((now) => now.filter(({ id }) => id !== gone))}
        />
        <div className={css.foot}>
          <span className={css.chip}>
            {t('target', { whom: target?.name ?? t('coordinator') })}
            {target && (
              <button type="button" onClick={() => aim(item.id, undefined)} aria-label={t('removeTarget')}>
                <X size={12} aria-hidden />
              </button>
            )}
          </span>
          <AttachButton isSmall onFiles={uploads.add} />
          <Kbd keys="mod+enter" />
          <Button type="submit" look="primary" disabled={!isReady} className={css.send ?? ''}>
            {t('send')}
          </Button>
        </div>
      </div>
    </form>
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
