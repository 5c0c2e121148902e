import { STACK_FRAMES } from './scope-view.js';

/** Times code is reached after the last hit before a worker is made to pause, so that it is told to forget the breakpoint. */
const AFTER_THE_LAST = 200;

/**
 * The source of a function `(lens, tell, now) => ({ arm, record })`. `record` is what a breakpoint's condition calls: it reads the
 * variables through a function of the condition's own, hands one text over, and the code runs on. It says whether
 * V8 is to pause all the same, which is how whatever cannot be done here is done.
 *
 * It calls no code of the application, and what it borrows of the language (a hook for stacks) is back in its place before
 * anything else runs.
 */
export const RECORDER_SOURCE = `(({ look, unavailable }, tell, now) => {
  const { stringify } = JSON;
  const { captureStackTrace } = Error;
  const { getOwnPropertyDescriptor, defineProperty } = Object;
  const plans = new Map();

  const borrow = (name, value) => {
    const before = getOwnPropertyDescriptor(Error, name);
    defineProperty(Error, name, { configurable: true, enumerable: true, writable: true, value });
    return () => (before === undefined ? delete Error[name] : defineProperty(Error, name, before));
  };
  const place = (site) =>
    [site.getFunctionName(), site.getScriptNameOrSourceURL(), site.getLineNumber(), site.getColumnNumber()];
  // The first is the condition itself. What V8 counts as no part of a stack: functions of its own, and who awaits.
  const frames = (error, sites) =>
    sites.slice(1).filter((site) => site.getLineNumber() !== null && !site.isAsync()).slice(0, ${STACK_FRAMES}).map(place);
  const stackAbove = (callee) => {
    const giveBack = [];
    try {
      giveBack.push(borrow('stackTraceLimit', ${2 * STACK_FRAMES}));
      giveBack.push(borrow('prepareStackTrace', frames));
      const holder = {};
      captureStackTrace(holder, callee);
      return holder.stack;
    } finally {
      for (const back of giveBack.reverse()) back();
    }
  };

  const spend = (plan, why) => {
    plan.spent = why;
    tell(stringify({ id: plan.id, spent: why }));
    return false;
  };

  const record = (id, read) => {
    const plan = plans.get(id);
    if (plan === undefined) return true;
    if (plan.spent !== undefined) return (plan.after += 1) > ${AFTER_THE_LAST};
    // An application may have added what JSON would call.
    if ('toJSON' in Object.prototype || 'toJSON' in Array.prototype) return true;
    const began = now();
    if (began - plan.windowStart >= 1000) {
      plan.windowStart = began;
      plan.inWindow = 0;
    }
    if (plan.inWindow >= plan.perSecond) return spend(plan, 'rate');
    try {
      const stack = stackAbove(record);
      // The names are those of one script, and the breakpoint may be in a newer one of the file as well.
      if (!plan.rehearsal && !plan.scripts.includes(stack[0]?.[1])) return true;
      const variables = Object.create(null);
      const others = Object.create(null);
      const { names, own, paths } = plan;
      for (let at = 0; at < names.length; at += 1) {
        try {
          (at < own ? variables : others)[names[at]] = read(at);
        } catch {
          // It has no value yet, or never came to be as nothing nested there uses it; a global of that name is another thing.
          others[names[at]] = unavailable;
        }
      }
      const view = look(1, [variables, others], others.this, paths);
      view.left += plan.left;
      plan.tell(stringify({ id, stack, view }));
    } catch {
      return true;
    }
    plan.taken += 1;
    plan.inWindow += 1;
    plan.ms += now() - began;
    if (plan.taken >= plan.hits) plan.spent = 'hits';
    else if (plan.ms >= plan.pauseMs) spend(plan, 'pause');
    return false;
  };

  const arm = (plan) => {
    plans.set(plan.id, { ...plan, tell: plan.rehearsal ? () => {} : tell, windowStart: now(), inWindow: 0, taken: 0, ms: 0, after: 0 });
    if (plans.size > 50) plans.delete(plans.keys().next().value);
  };
  return { arm, record };
})`;
