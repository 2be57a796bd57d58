/** The board. */
export const board = {
  lane: { needs_you: 'Needs you', active: 'Active', done: 'Done', draft: 'Drafts' },
  board: {
    title: 'Work',
    search: 'Search goals and ids',
    allDirectories: 'All directories',
    directory: 'Directory',
    new: 'New work',
    proven: '{proven, number} of {total, number} proven',
    cost: '{cost} of {limit}',
    unmetered: 'unmetered',
    others: 'others',
    atWork: '{names} at work',
    emptyLane: {
      needs_you: 'Nothing waits for you.',
      active: 'Nothing is being worked on.',
      done: 'Nothing is done yet.',
      draft: 'No drafts.',
    },
    emptyLaneIn: {
      needs_you: 'Nothing in {directory} waits for you.',
      active: 'Nothing in {directory} is being worked on.',
      done: 'Nothing in {directory} is done yet.',
      draft: 'No drafts in {directory}.',
    },
    nothingFound: 'Nothing fits “{search}”.',
    nothingFoundIn: 'Nothing in {directory} fits “{search}”.',
    noneThere: 'No work in this directory',
    showAll: 'Show all directories',
    empty: { title: 'No work yet', text: 'State a goal and how you will know that it is met. Try one of these:' },
    more: 'Show more',
    quarantined: 'Cannot be read: {reason}',
  },
  example: {
    readme: {
      goal: 'Write a README that gets a newcomer from clone to a running test in five minutes',
      criterion: 'Every command of the README exits with 0 in a fresh clone',
    },
    flaky: {
      goal: 'Find why a test fails now and then, and mend the cause',
      criterion: 'The test passes 50 times in a row',
    },
    upgrade: { goal: 'Bring the dependencies up to date without changing behaviour', criterion: 'All tests pass' },
  },
} as const;
