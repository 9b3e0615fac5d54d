package org.saevhadoop.converters.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.converters.cluster.YarnCluster.path;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.cluster.ClusterExtension;
import org.saevhadoop.converters.cluster.Hdfs;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.storage.FlippingFileSystem;

/** Files that HDFS has stored otherwise than they were written are not committed. */
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
class StoredChecksumIT {
  private static final String STRIPED = "XOR-2-1-1024k";
  private static final String ROOT = "/stored";

  private static DistributedFileSystem fs;
  private static Configuration plain;
  private static Configuration flipping;

  @BeforeAll
  static void useHdfs(Hdfs hdfs) throws IOException {
    fs = hdfs.fs();
    plain = hdfs.conf();
    plain.setInt("dfs.blocksize", 64 << 10);
    plain.setBoolean("fs.hdfs.impl.disable.cache", true);
    flipping = new Configuration(plain);
    flipping.setClass(
        "fs.hdfs.impl", FlippingFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
  }

  @Test
  void aFileOfSeveralBlocksIsComparedAndCommitted() throws IOException {
    String out = fs.getUri() + ROOT + "/good";
    convert(plain, out).succeeds();
    assertThat(Cli.run("digest", out).succeeds().text())
        .isEqualTo(ConvertTest.digest(Fixtures.saev(Fixtures.D768)));
  }

  @Test
  void aFileWithAnotherBitIsNotCommitted() throws IOException {
    convert(flipping, fs.getUri() + ROOT + "/flipped")
        .failsWithText(".safetensors: was stored with the CRC-32C", "(expected ");
    assertThat(fs.listStatus(path(ROOT)))
        .noneMatch(file -> file.getPath().getName().contains("flipped"));
  }

  @Test
  void aStripedFileIsComparedAsWell() throws IOException {
    fs.enableErasureCodingPolicy(STRIPED);
    fs.mkdirs(path(ROOT + "/striped"));
    fs.setErasureCodingPolicy(path(ROOT + "/striped"), STRIPED);
    String out = fs.getUri() + ROOT + "/striped/out";
    convert(flipping, out, "-Ddfs.blocksize=1048576").failsWithText("was stored with the CRC-32C");
    convert(plain, out, "-Ddfs.blocksize=1048576").succeeds();
  }

  @Test
  @Tag("long")
  void nothingIsComparedIfThatIsSwitchedOffOrHdfsKeepsAnotherChecksum() throws IOException {
    convert(flipping, fs.getUri() + ROOT + "/off", "-Dsaev.output.checksum=off").succeeds();
    convert(flipping, fs.getUri() + ROOT + "/crc32", "-Ddfs.checksum.type=CRC32").succeeds();
    convert(flipping, fs.getUri() + ROOT + "/none", "-Ddfs.checksum.type=NULL").succeeds();
  }

  private static Cli convert(Configuration conf, String out, Object... options) {
    String source = "file:" + Fixtures.saev(Fixtures.D768);
    return Cli.run(conf, "convert", source, out, "--to", "safetensors", options);
  }
}
