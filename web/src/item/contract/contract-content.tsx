import type { ContentProps } from '../pane/pane.tsx';

export function ContractContent({ item }: ContentProps) {
  return <p className="muted">{item.title}</p>;
}
