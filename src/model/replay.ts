import type { SharedV3ProviderMetadata, SharedV3ProviderOptions } from '@ai-sdk/provider';

/** The name under which the chat adapter hands out and takes options of its own. */
export const CHAT_ADAPTER = 'openaiCompatible';

/**
 * What a part of an answer needs when it is sent back: signatures, encrypted items. Bound to the model that wrote it,
 * because another one refuses or misreads it.
 */
export function keptFor(model: string, metadata: SharedV3ProviderMetadata | undefined): Record<string, unknown> {
  return { ...chatSignature(metadata), origin: model };
}

/** The same as options of the next request; undefined when the part came from another model. */
export function replayOf(
  kept: Readonly<Record<string, unknown>> | undefined,
  model: string,
): SharedV3ProviderOptions | undefined {
  if (kept?.origin !== model) return undefined;
  const { origin: _origin, ...metadata } = kept;
  // What an adapter gave as metadata is what it takes as options: JSON, stored and read again unchanged.
  return metadata as SharedV3ProviderOptions;
}

/** Merges what arrives in several events of one part. */
export function mergedMetadata(
  before: SharedV3ProviderMetadata | undefined,
  next: SharedV3ProviderMetadata | undefined,
): SharedV3ProviderMetadata | undefined {
  if (!before || !next) return next ?? before;
  const added = Object.entries(next).map(([name, value]) => [name, { ...before[name], ...value }] as const);
  return { ...before, ...Object.fromEntries(added) };
}

/** The chat adapter gives the thought signature of Gemini under its own name, but takes it under `google`. */
function chatSignature(metadata: SharedV3ProviderMetadata | undefined): SharedV3ProviderMetadata {
  const { [CHAT_ADAPTER]: chat, ...others } = metadata ?? {};
  return chat ? { ...others, google: chat } : others;
}
