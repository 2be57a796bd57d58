/**
 * The detached part of a landing (D32): a shell script, so that it runs without us, from source and from a build alike.
 * It owns the checkout's `index.lock` from its first change to its last, with a token inside that tells whose it is.
 *
 * | Phase | True once it is written |
 * | --- | --- |
 * | `claimed` | `owner` names this process; nothing was changed |
 * | `locked` | we hold index.lock; the branch was verified |
 * | `files` | files may differ from the old commit from here on |
 * | `written` | files are those of the target; our copy of the index agrees |
 * | `ref` | the branch points at the target |
 * | `index` | the checkout's index agrees |
 * | `unlocked` | index.lock is gone |
 *
 * Modes: `merge` lets git itself refuse edits of the user before anything is written. `repair` follows the lists that
 * the caller made (remove.z, folders.z, attributes.z, write.z) after it looked at every path.
 *
 * `result` holds one line: `landed`, `moved`, `refused`, `locked` or `failed`.
 */
export const LANDING_SCRIPT = `#!/bin/sh
set -u
state=$1 tree=$2 GIT_DIR=$3 branch=$4 from=$5 to=$6 mode=$7 token=$8
export GIT_DIR
GIT_WORK_TREE=$tree
export GIT_WORK_TREE
index=$GIT_DIR/index
ours=$GIT_DIR/workcenter-landing.index
key=$GIT_DIR/workcenter-landing.key

say() {
  printf '%s\\n' "$2" >"$state/$1.tmp" && mv -f "$state/$1.tmp" "$state/$1"
}
step() {
  say phase "$1"
  if [ "\${WORKCENTER_LANDING_PAUSE_AT:-}" = "$1" ]; then
    : >"$state/paused"
    while :; do sleep 60; done
  fi
}
lock_is_ours() {
  [ "$(cat "$index.lock" 2>/dev/null)" = "$token" ]
}
unlock() {
  rm -f "$ours" "$ours.lock" "$key"
  if lock_is_ours; then rm -f "$index.lock"; fi
}
finish() {
  unlock
  say result "$1"
  rm -f "$state/owner"
  exit 0
}
with_our_index() {
  GIT_INDEX_FILE=$ours git "$@"
}
write_listed() {
  [ -s "$1" ] || return 0
  # Only what differs, which leaves out what a sparse checkout is not to have.
  GIT_INDEX_FILE=$ours xargs -0 git --literal-pathspecs diff-files -z --name-only -- <"$1" >"$state/due.z" &&
    with_our_index checkout-index -f -u -z --stdin <"$state/due.z" || finish failed
}
branch_head() {
  git rev-parse --quiet --verify "refs/heads/$branch"
}

started=$(cut -d ' ' -f 22 "/proc/$$/stat" 2>/dev/null || ps -o lstart= -p $$)
printf '%s %s\\n' "$$" "$started" >"$state/owner.$$"
ln "$state/owner.$$" "$state/owner" || exit 75
rm -f "$state/owner.$$"
step claimed

cd "$tree" || finish failed
if ! lock_is_ours; then
  printf '%s\\n' "$token" >"$key"
  # A link is created whole or not at all; where the file system has none, an exclusive create has to do.
  ln "$key" "$index.lock" 2>/dev/null ||
    (set -C && printf '%s\\n' "$token" >"$index.lock") 2>/dev/null ||
    finish locked
fi
[ "$(git symbolic-ref --quiet HEAD)" = "refs/heads/$branch" ] || finish moved
at=$(branch_head)
if [ "$at" != "$from" ] && { [ "$mode" = merge ] || [ "$at" != "$to" ]; }; then finish moved; fi
rm -f "$ours" "$ours.lock"
if [ -f "$index" ]; then cp "$index" "$ours" || finish failed; fi
step locked

if [ "$mode" = merge ]; then
  with_our_index update-index -q --refresh >/dev/null
  with_our_index read-tree -n -m -u "$from" "$to" || finish refused
  step files
  with_our_index read-tree -m -u "$from" "$to" || finish failed
else
  with_our_index read-tree -i -m "$from" "$to" || finish refused
  if [ "$(git config --bool core.sparseCheckout)" = true ]; then
    # A merge of the index alone marks no new path as outside a sparse checkout; one that also looks at files does.
    with_our_index read-tree -m -u "$to" "$to" || finish refused
  fi
  step files
  xargs -0 rm -f -- <"$state/remove.z" || finish failed
  xargs -0 rmdir -- <"$state/folders.z" 2>/dev/null
  write_listed "$state/attributes.z"
  write_listed "$state/write.z"
  with_our_index update-index -q --refresh >/dev/null
fi
step written

if [ "$at" = "$from" ] && ! git update-ref -m "workcenter: land $branch" "refs/heads/$branch" "$to" "$from"; then
  # Somebody moved the branch behind the index lock's back: put the files back and let the caller plan again.
  if [ "$(branch_head)" = "$from" ]; then finish failed; fi
  with_our_index read-tree -m -u "$to" "$from" || finish failed
  finish moved
fi
step ref
mv -f "$ours" "$index" || finish failed
step index
unlock
step unlocked
finish landed
`;
