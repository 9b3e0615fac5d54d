#!/usr/bin/env bash
# Runs conversions against an S3 server on loopback, with each committer of S3A and with processes that are killed,
# and prints what came of them. The first run fetches about 700 MB (S3A's libraries and s3proxy).
#
#   it/s3.sh [OPTIONS OF MAVEN]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
mvn -B -q verify -P s3 -pl it/s3 -am -Dtest=none -Dit.test=ObjectStoreIT -Dspotless.check.skip=true "$@"
cat it/s3/target/s3-table.md
