/** The provider's name of a model: what follows the first slash of `provider/model`. */
export function modelIdOf(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1);
}

/** What stands before the first slash. */
export function providerNameOf(ref: string): string {
  return ref.slice(0, Math.max(0, ref.indexOf('/')));
}
