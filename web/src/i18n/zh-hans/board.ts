import type { Words } from '../catalogue.ts';
import type { board as English } from '../en/board.ts';

export const board: Words<typeof English> = {
  lane: { needs_you: '待你处理', active: '进行中', done: '已完成', draft: '草稿' },
  board: {
    title: '工作',
    search: '搜索目标与编号',
    allDirectories: '全部目录',
    directory: '目录',
    new: '新建工作',
    proven: '已证明 {proven, number} / {total, number}',
    cost: '{cost}，上限 {limit}',
    others: '其他',
    atWork: '{names} 正在工作',
    unmetered: '未计量',
    emptyLane: {
      needs_you: '没有需要你处理的事。',
      active: '没有正在进行的工作。',
      done: '还没有完成的工作。',
      draft: '没有草稿。',
    },
    emptyLaneIn: {
      needs_you: '{directory} 中没有需要你处理的事。',
      active: '{directory} 中没有正在进行的工作。',
      done: '{directory} 中还没有完成的工作。',
      draft: '{directory} 中没有草稿。',
    },
    nothingFound: '没有符合“{search}”的工作。',
    nothingFoundIn: '{directory} 中没有符合“{search}”的工作。',
    noneThere: '此目录中没有工作',
    showAll: '显示全部目录',
    empty: { title: '还没有工作', text: '写下目标，以及如何判断目标已达成。可以从这些例子开始：' },
    more: '显示更多',
    quarantined: '无法读取：{reason}',
  },
  example: {
    readme: {
      goal: '编写 README，让新人五分钟内从克隆到跑通测试',
      criterion: 'README 中的每条命令在全新克隆中都以 0 退出',
    },
    flaky: { goal: '找出某个测试偶尔失败的原因并修复', criterion: '该测试连续通过 50 次' },
    upgrade: { goal: '在不改变行为的前提下更新依赖', criterion: '所有测试通过' },
  },
};
