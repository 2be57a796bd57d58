import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from './queries.ts';

/** The list that fields of models offer. */
export const MODEL_LIST = 'model-names';

/** Tags and every model that has a price; others may be typed. */
export function ModelNames() {
  const { data } = useQuery(modelsQuery);
  const names = [
    ...(data?.tags.map(({ tag }) => tag) ?? []),
    ...(data?.prices.entries.map(({ model }) => model) ?? []),
  ];
  return (
    <datalist id={MODEL_LIST}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
