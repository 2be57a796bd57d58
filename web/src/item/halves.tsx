import { Tabs } from 'radix-ui';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useParams } from 'wouter';
import { useNarrow } from '../shell/narrow.ts';
import { useAnswerTo, useWriteTo } from './conversation/write-to.ts';
import { Divider, useShare } from './divider.tsx';
import css from './item.module.css';

interface Props {
  readonly itemId: string;
  readonly talk: ReactNode;
  readonly pane: ReactNode;
}

/** Beside each other they are no panels of tabs. */
const BESIDE = { role: undefined, tabIndex: undefined, 'aria-labelledby': undefined };

/**
 * Conversation and content: two columns, or one of them at a time under two tabs. Both ways they are the same elements,
 * so a window that gets narrow and a tablet that is turned lose nothing of what is written, sent along or looked at.
 */
export function Halves({ itemId, talk, pane }: Props) {
  const t = useTranslations('item');
  const narrow = useNarrow();
  const box = useRef<HTMLDivElement>(null);
  const { share, move, columns } = useShare();
  const [shown, setShown] = useShown(itemId);
  const half = narrow ? {} : BESIDE;
  // Also to what is there already: the address alone would not say that somebody wants to see it.
  const follow = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest(`a[href^="/work/${itemId}/"]`)) setShown('pane');
  };
  return (
    <Tabs.Root
      ref={box}
      value={shown}
      onValueChange={setShown}
      className={narrow ? css.tabbed : css.divided}
      style={narrow ? undefined : { gridTemplateColumns: columns }}
    >
      {narrow && (
        <Tabs.List className={css.tabs}>
          <Tabs.Trigger value="talk">{t('conversation')}</Tabs.Trigger>
          <Tabs.Trigger value="pane">{t('content')}</Tabs.Trigger>
        </Tabs.List>
      )}
      <Tabs.Content value="talk" forceMount {...half} onFocus={() => setShown('talk')} onClick={follow}>
        {talk}
      </Tabs.Content>
      {!narrow && <Divider share={share} box={box} onMove={move} />}
      <Tabs.Content value="pane" forceMount {...half} onFocus={() => setShown('pane')}>
        {pane}
      </Tabs.Content>
    </Tabs.Root>
  );
}

/** Where there is room for one: a link into the content shows that, Back from it and writing show the conversation. */
function useShown(itemId: string) {
  const { '*': address = '' } = useParams();
  const [shownAddress, setShownAddress] = useState('');
  const [shown, setShown] = useState('talk');
  if (address !== shownAddress) {
    setShownAddress(address);
    setShown(address === '' ? 'talk' : 'pane');
  }
  useWriteTo(itemId, () => setShown('talk'));
  useAnswerTo(itemId, () => setShown('talk'));
  return [shown, setShown] as const;
}
