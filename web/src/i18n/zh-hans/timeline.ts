import type { Words } from '../catalogue.ts';
import type { timeline as English } from '../en/timeline.ts';

export const timeline: Words<typeof English> = {
  timeline: {
    title: '运行时间线',
    empty: '还没有运行过任何内容。',
    picture: '显示为图',
    table: '显示为表格',
    earlier: '显示更早的运行',
    zoomIn: '放大',
    zoomOut: '缩小',
    fit: '适应宽度',
    coordinator: '协调者',
    engine: '验证（引擎）',
    place: {
      'in-place': '直接在目录中',
      shared: '共享工作区',
      'isolated-write': '独立工作区',
      integrate: '集成',
      read: '只读',
    },
    joins: '汇合 {names}',
    after: '在 {names} 之后',
    conflict: '其结果与另一结果冲突',
    now: '现在',
    run: '运行 {n, number}，{outcome}，{at}，{length}',
    turn: '轮次，{outcome}，{at}，{length}',
    runN: '运行 {n, number}',
    outcome: { ok: '成功', failed: '失败', running: '正在运行', unknown: '结果未知', held: '未完成' },
    what: '内容',
    outcomeHead: '结果',
    began: '开始',
    took: '耗时',
    where: '位置',
    beganWith: '承接',
  },
};
