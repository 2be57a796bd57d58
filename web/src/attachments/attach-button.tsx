import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from '../components/button.tsx';

interface Props {
  readonly onFiles: (files: readonly File[]) => void;
  /** Only the picture, where there is little room. */
  readonly isSmall?: boolean;
}

/** Chooses files from the disk. */
export function AttachButton({ onFiles, isSmall = false }: Props) {
  const t = useTranslations('files');
  const input = useRef<HTMLInputElement>(null);
  const choose = (): void => input.current?.click();
  const icon = <Paperclip size={15} aria-hidden />;
  return (
    <>
      {isSmall ? (
        <IconButton label={t('attach')} icon={icon} onClick={choose} />
      ) : (
        <Button icon={icon} onClick={choose}>
          {t('add')}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
