# Names for the npm scripts, for hands used to make. Everything is defined in package.json.
.PHONY: install build start test test-real test-long parts lint format types imports unused sizes generate generate-verify check ci

install:
	npm ci
ci:
	.ci/run
test-real:
	npm run test:real
test-long:
	npm run test:long
generate-verify:
	npm run generate:verify
build start test parts lint format types imports unused sizes generate check:
	npm run $@
