/** A vitest reporter that names the tests which passed only at a second try, so that none of them hides. */
export default class SecondTries {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')])
    const flaky = tests.filter((test) => test.diagnostic()?.flaky === true)
    for (const test of flaky)
      console.log(`passed only at the second try: ${test.module.relativeModuleId} > ${test.fullName}`)
    if (flaky.length > 0) console.log(`${flaky.length} unit and integration tests passed only at the second try`)
  }
}
