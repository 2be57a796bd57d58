/** Does it once at a time: what comes while it is being done is no second wish, but a second click. */
export function singly<Variables>(run: (variables: Variables) => Promise<unknown>): (variables: Variables) => void {
  let isGoing = false;
  const ended = (): void => {
    isGoing = false;
  };
  return (variables) => {
    if (isGoing) return;
    isGoing = true;
    run(variables).then(ended, ended);
  };
}
