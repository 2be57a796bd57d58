import type { Words } from '../catalogue.ts';
import type { proof as English } from '../en/proof.ts';

export const proof: Words<typeof English> = {
  standing: { passed: '已证明', failed: '未通过', stale: '已过期', weak: '证明太弱', unmet: '缺少证明' },
  proof: {
    machine: '机器',
    independent: '独立',
    self: '自述',
    machineLong: '由引擎自己运行检查证明',
    independentLong: '由未参与工作的人确认',
    selfLong: '由执行者自己声明；没有检查作出判定',
  },
  mark: {
    machine: '机器证明',
    independent: '独立证明',
    self: '自述',
    proven: '已证明',
    failed: '未通过',
    stale: '已过期',
    weak: '证明太弱',
    working: '进行中',
    missing: '缺少证明',
  },
  status: {
    draft: '草稿',
    deciding: '决策中',
    ready: '就绪',
    running: '进行中',
    waiting: '等待你',
    needs_attention: '待你处理',
    held: '已暂停',
    cancelling: '正在停止',
    cancelled: '已取消',
    done: '已完成',
    completed: '已完成',
    failed: '失败',
    closed: '已关闭',
    superseded: '已被取代',
    interrupted: '已中断',
    retryable: '失败，将重试',
    unknown: '结果未知',
  },
};
