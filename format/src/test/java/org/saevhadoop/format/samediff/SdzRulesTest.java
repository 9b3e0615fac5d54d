package org.saevhadoop.format.samediff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of an SDZ file is noticed when it is broken. */
class SdzRulesTest {
  private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  private Path write(byte[] zip) throws IOException {
    return Files.write(folder.resolve("model.sdz"), zip);
  }

  private void assertBroken(String rule, byte[] zip) throws IOException {
    Path file = write(zip);
    assertThatThrownBy(() -> RealLoaderRules.ofAny(file))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: " + rule + ": ");
  }

  private void assertNotOurs(String rule, byte[] zip) throws IOException {
    Path file = write(zip);
    assertThat(RealLoaderRules.ofAny(file)).isNotEmpty();
    assertThatThrownBy(() -> RealLoaderRules.ofOurs(file))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("rule broken: ours: " + rule + ": ");
  }

  private static byte[] sdnb() throws IOException {
    return RealSdnbForge.file().bytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"model", "model.sdnb"})
  void aFileThatObeysAllRulesHasItsArrays(String name) throws IOException {
    assertThat(RealLoaderRules.ofOurs(write(new JavaZip().stored(name, sdnb()).bytes())))
        .hasSize(4);
    assertThat(RealLoaderRules.ofOurs(write(new JavaZip().deflated(name, sdnb()).bytes())))
        .hasSize(4);
  }

  @Test
  void shardsInAFileAreRead() throws IOException {
    JavaZip zip =
        new JavaZip()
            .stored("model.shard1-of-2.sdnb", weights().bytes())
            .stored("model.shard0-of-2.sdnb", graph().bytes());
    assertThat(RealLoaderRules.ofOurs(write(zip.bytes()))).hasSize(1);
  }

  private static RealSdnbForge graph() {
    return new RealSdnbForge().declare("a", 5).shard("graph");
  }

  private static RealSdnbForge weights() {
    return new RealSdnbForge().append("a", 5, new byte[4], 1).shard("weights");
  }

  private static JavaZip shards(String base, int count) throws IOException {
    return new JavaZip()
        .stored(base + ".shard0-of-" + count + ".sdnb", graph().bytes())
        .stored(base + ".shard1-of-" + count + ".sdnb", weights().bytes());
  }

  @Test
  void theRulesOfShardsAreThoseOfEntries() throws IOException {
    assertBroken("there are as many shards as in each name", shards("model", 3).bytes());
  }

  @Test
  void entriesThatAreNotOneModelAreNoticed() throws IOException {
    String rule = "there is one SDNB file, or all are shards of model";
    assertBroken(rule, shards("run", 2).bytes());
    assertBroken(rule, shards("model", 2).stored("model.sdnb", sdnb()).bytes());
    assertBroken("an entry is an SDNB file", new JavaZip().stored("model", TEXT).bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/", "a/model.sdnb", "/model.sdnb", "..\\model.sdnb"})
  void anEntryInADirectoryIsNoticed(String name) throws IOException {
    byte[] content = name.endsWith("/") ? new byte[0] : sdnb();
    assertBroken("entries are in no directory", new JavaZip().stored(name, content).bytes());
  }

  @Test
  void tooManyEntriesAreNoticed() throws IOException {
    JavaZip zip = new JavaZip().stored("model", sdnb());
    for (int i = 0; i < 999; i++) {
      zip.stored("text" + i, TEXT);
    }
    assertThat(RealLoaderRules.ofAny(write(zip.bytes()))).hasSize(4);
    zip = new JavaZip().stored("model", sdnb());
    for (int i = 0; i < 1000; i++) {
      zip.stored("text" + i, TEXT);
    }
    assertBroken("there are at most 1000 entries", zip.bytes());
  }

  @Test
  void anEntryThatLooksLikeABombIsNoticed() throws IOException {
    byte[] zeros = new RealSdnbForge().append("a", 7, new byte[1 << 20], 1 << 20).bytes();
    assertThat(RealLoaderRules.ofOurs(write(new JavaZip().deflated("model", zeros).bytes())))
        .hasSize(1);
    assertBroken(
        "no entry is deflated to a hundredth, if its sizes are known before",
        new JavaZip().deflatedWithSizes("model", zeros).bytes());
  }

  @Test
  void whatOnlySomeLoadersTakeIsNotOurs() throws IOException {
    assertNotOurs(
        "the only entry is model or model.sdnb", new JavaZip().stored("a", sdnb()).bytes());
    assertNotOurs(
        "all entries are SDNB files",
        new JavaZip().stored("model", sdnb()).stored("text", TEXT).bytes());
    assertNotOurs(
        "deflated entries have their sizes behind their data",
        new JavaZip().deflatedWithSizes("model", sdnb()).bytes());
  }

  @Test
  void aNameThatOccursTwiceIsNoticed() throws IOException {
    byte[] zip = new JavaZip().stored("model", sdnb()).stored("mode2", TEXT).bytes();
    assertBroken("names of entries are unique", replaced(zip, "mode2", "model"));
  }

  @Test
  void aCentralDirectoryOfOtherEntriesIsNoticed() throws IOException {
    byte[] zip = new JavaZip().stored("model", sdnb()).bytes();
    String text = new String(zip, StandardCharsets.ISO_8859_1);
    byte[] renamed = zip.clone();
    renamed[text.lastIndexOf("model")] = 'M';
    assertBroken("local headers and central directory have the same entries", renamed);
    byte[] hidden = new JavaZip().stored("model", sdnb()).stored("text", TEXT).bytes();
    String all = new String(hidden, StandardCharsets.ISO_8859_1);
    hidden[all.indexOf("PK\3\4", 4)] = 'X';
    assertBroken("local headers and central directory have the same entries", hidden);
  }

  @Test
  void aFileThatJavaDoesNotReadIsNoticed() throws IOException {
    byte[] zip = new JavaZip().stored("model", sdnb()).bytes();
    byte[] sizesBehindAStoredEntry = zip.clone();
    sizesBehindAStoredEntry[6] |= 8;
    assertBroken("ZipInputStream reads the file", sizesBehindAStoredEntry);
    byte[] wrongChecksum = zip.clone();
    wrongChecksum[200] ^= 1;
    assertBroken("ZipInputStream reads the file", wrongChecksum);
    byte[] withoutDirectory = Arrays.copyOf(zip, zip.length - 1);
    assertBroken("ZipFile reads the file", withoutDirectory);
  }

  private static byte[] replaced(byte[] zip, String part, String by) {
    return new String(zip, StandardCharsets.ISO_8859_1)
        .replace(part, by)
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
