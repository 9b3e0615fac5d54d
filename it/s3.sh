#!/usr/bin/env bash
# Runs conversions against an S3 server on loopback, with each committer of S3A and with processes that are killed,
# and prints what came of them. Runs others with hadoop jar, in the local runner and on YARN. The first run fetches
# about 700 MB (S3A's libraries and s3proxy).
#
#   it/s3.sh [OPTIONS OF MAVEN]
#
#   CLUSTER   the folder with cluster.sh; by default ../shared/cluster beside this checkout. Without it, nothing runs
#             on YARN
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
CLUSTER=${CLUSTER:-$PWD/../shared/cluster}
if [ ! -x "$CLUSTER/cluster.sh" ]; then
  echo "no $CLUSTER/cluster.sh: nothing runs on YARN" >&2
  CLUSTER=
else
  # the folder of HadoopJarIT: daemons that an earlier run has left in it are stopped
  export BASE=$PWD/it/s3/target/cluster
  wipe() { "$CLUSTER/cluster.sh" wipe >/dev/null; }
  wipe
  trap wipe EXIT
  for port in 9000 8088; do # of NameNode and ResourceManager
    if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "another cluster listens on 127.0.0.1:$port: stop it" >&2
      exit 1
    fi
  done
fi
mvn -B -q verify -P s3 -pl it/s3 -am -Dtest=none -Dit.test='ObjectStoreIT,HadoopJarIT' -Dit.cluster="$CLUSTER" \
  -Dspotless.check.skip=true "$@"
cat it/s3/target/s3-table.md it/s3/target/hadoop-jar-table.md
