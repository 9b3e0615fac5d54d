package org.saevhadoop.converters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.saevhadoop.converters.convert.ConvertedDatasets;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.io.FileError;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.safetensors.index.TensorIndexBuilder;
import org.saevhadoop.format.safetensors.index.TensorIndexError;

/** What the commands tell of tensors that are no activations. */
@Tag("late")
class TensorCommandsTest extends ConvertedDatasets {
  private static final String NAME = "x.safetensors";

  private Path file;

  @BeforeEach
  void writeAFile() throws IOException {
    file =
        SmallFile.write(
            folder.resolve(NAME),
            "{\"__metadata__\":{\"k\":\"v\"},"
                + "\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
                + "\"b\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[6,10]},"
                + "\"e\":{\"dtype\":\"F32\",\"shape\":[0,18446744073709551615],"
                + "\"data_offsets\":[10,10]}}",
            10);
  }

  @Test
  void inspectReportsUnsignedNumbersAndDigests() throws IOException {
    JsonNode report = Cli.run("inspect", file, "--json", "--digests").succeeds().json();
    assertThat(report.toString())
        .startsWith(
            "{\"schema\":1,\"path\":\""
                + file
                + "\",\"format\":\"safetensors\",\"bytes\":"
                + Files.size(file)
                + ",\"tensors\":[{\"name\":\"a\",\"dtype\":\"uint8\",\"stored_dtype\":\"U8\",\"shape\":"
                + "[2,3],\"bytes\":6,\"data_offsets\":[0,6],\"digest\":"
                + "\"17e88db187afd62c16e5debf3e6527cd006bc012bc90b51a810cd80c2d511f43\"}")
        .contains(
            "{\"name\":\"e\",\"dtype\":\"float32\",\"stored_dtype\":\"F32\",\"shape\":"
                + "[0,18446744073709551615],\"bytes\":0,\"data_offsets\":[10,10],\"digest\":"
                + "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"}],"
                + "\"bytes_of_values\":10,\"metadata\":{\"k\":\"v\"}");
    assertThat(Cli.run("inspect", file).succeeds().text().lines())
        .contains(
            "tensors              3",
            "  e  float32  [0,18446744073709551615] shape  0 B  [10,10] data_offsets",
            "  k                          v");
  }

  /** Returns the JSON of a folder, but for the space that depends on its file system. */
  private static String report(Path folder) throws IOException {
    ObjectNode report = (ObjectNode) Cli.run("inspect", folder, "--json").succeeds().json();
    assertThat(report.remove("bytes_on_disk").longValue()).isPositive();
    return report.toString();
  }

  @Test
  void inspectOfOtherColumnsReportsThem() throws IOException {
    Path table = Files.createDirectory(folder.resolve("table"));
    SmallFile.ofThree(table.resolve("p.safetensors"), "1__x", "2__x");
    SmallFile.manifest(table, "p.safetensors:2");
    assertThat(report(table))
        .startsWith(
            "{\"schema\":1,\"path\":\""
                + table
                + "\",\"format\":\"safetensors\",\"layout\":\"kv\",\"separator\":\"__\",\"examples\":2,"
                + "\"columns\":[{\"name\":\"x\",\"dtype\":\"uint8\",\"stored_dtype\":\"U8\","
                + "\"shape\":[3]}],\"bytes\":125,\"bytes_of_values\":6,\"shards\":[{")
        .endsWith("\"examples\":2,\"bytes\":125}],\"warnings\":[]}");
    assertThat(Cli.run("list", table, "--json", "--digests").succeeds().text())
        .startsWith(
            "{\"schema\":1,\"example\":0,\"column\":\"x\",\"shape\":[3],\"dtype\":\"uint8\","
                + "\"stored_dtype\":\"U8\",\"digest\":\"ae4b32");
    assertThat(Cli.run("list", table).text()).isEqualTo("0 x [3] uint8\n1 x [3] uint8\n");
    assertThat(Cli.run("digest", table).succeeds().lastLine())
        .endsWith(" examples=2 columns=[\"x U8[3]\"]");
    Cli.run("inspect", table, "--digests").failsAsUsage();
    assertThat(Cli.run("cat", table, "--key", "2__x").succeeds().text()).isEqualTo("3 4 5\n");
    Cli.run("cat", table, "--key", "3__x").failsWith(TensorIndexError.NO_SUCH_TENSOR, table);
    Cli.run("cat", table, "--name", "x").failsWith(TensorIndexError.NO_SUCH_TENSOR, "table");
  }

  @Test
  void aKeyThatTheIndexLacksIsFoundInTheFilesWithAWarning() throws IOException {
    Path table = Files.createDirectory(folder.resolve("table"));
    LocalFolder files = new LocalFolder(table);
    SmallFile.ofThree(table.resolve("p.safetensors"), "1__x", "2__x");
    TensorIndexBuilder.write(files, List.of("p.safetensors"), files.create(TensorIndex.NAME));
    SmallFile.ofThree(table.resolve("q.safetensors"), "3__x", "4__x");
    Cli cat = Cli.run("cat", table, "--key", "4__x").succeeds();
    assertThat(cat.text()).isEqualTo("3 4 5\n");
    assertThat(cat.stderr().lines()).singleElement().asString().contains(TensorIndex.NAME);
    assertThat(Cli.run("verify", table, "--structure").exitCode()).isEqualTo(1);
    Cli.run("cat", table, "--key", "5__x")
        .failsWith(TensorIndexError.NO_SUCH_TENSOR, TensorIndex.NAME);
  }

  @Test
  void activationsOfAnotherDtypeAreReportedAsTheyAre() throws IOException {
    String mapped = "--tensor=b=example,dim";
    Path one = folder.resolve("one");
    Files.createDirectory(one);
    SmallFile.write(
        one.resolve(NAME),
        "{\"b\":{\"dtype\":\"BF16\",\"shape\":[2,2],\"data_offsets\":[0,8]}}",
        8);
    Object[] cat = {"cat", one, "--example", 1, mapped, "--format"};
    assertThat(Cli.run(cat, "text").succeeds().text())
        .isEqualTo("1 0 0 6.20661E-36 1.008104E-34\n");
    assertThat(Cli.run(cat, "hex").text()).isEqualTo("1 0 0 04050607\n");
    assertThat(Cli.run(cat, "bin").stdout()).containsExactly(4, 5, 6, 7);
    Cli.run(cat, "npy").failsWith(DatasetError.NOT_CONVERTIBLE, "one");
    assertThat(Cli.run("list", one, mapped).text())
        .isEqualTo("0 0 [1,2] bfloat16\n1 0 [1,2] bfloat16\n");
    JsonNode report = Cli.run("inspect", one, mapped, "--json").json();
    assertThat(report.get("dtype").asText()).isEqualTo("bfloat16");
    assertThat(Cli.run("digest", one, mapped).succeeds().text())
        .endsWith(" examples=2 layers=0 tokens=1 dim=2\n");
  }

  @Test
  void catPrintsASliceOfATensor() {
    assertThat(cat("a", "text")).isEqualTo("0 1 2\n3 4 5\n");
    assertThat(cat("a", "text", "--slice", ":,1:")).isEqualTo("1 2\n4 5\n");
    assertThat(cat("a", "text", "--slice", "1,-1")).isEqualTo("5\n");
    assertThat(cat("a", "hex", "--slice", "1")).isEqualTo("030405\n");
    assertThat(cat("a", "hex", "--slice", ":,0")).isEqualTo("0003\n");
    assertThat(cat("a", "json", "--slice", ":,2"))
        .isEqualTo(
            "{\"schema\":1,\"name\":\"a\",\"dtype\":\"uint8\",\"stored_dtype\":\"U8\",\"shape\":[2],"
                + "\"values\":[2,5]}\n");
    assertThat(cat("e", "text")).isEmpty();
    assertThat(cat("e", "json"))
        .isEqualTo(
            "{\"schema\":1,\"name\":\"e\",\"dtype\":\"float32\",\"stored_dtype\":\"F32\","
                + "\"shape\":[0,18446744073709551615],\"values\":[]}\n");
    assertThat(cat("a", "npy", "--slice", "1"))
        .startsWith("\ufffdNUMPY")
        .contains("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }")
        .endsWith(" \n\u0003\u0004\u0005");
    byte[] bin = Cli.run("cat", file, "--name", "b", "--format", "bin").stdout();
    assertThat(bin).containsExactly(6, 7, 8, 9);
  }

  private String cat(String name, String format, String... more) {
    Object[] how =
        format.equals("json") ? new Object[] {"--json"} : new Object[] {"--format", format};
    return Cli.run("cat", file, "--name", name, how, more).succeeds().text();
  }

  @Test
  void catRefusesWhatIsNotThereAndWhatMeansNothing() {
    Cli.run("cat", file, "--name", "z").failsWith(TensorIndexError.NO_SUCH_TENSOR, file);
    Cli.run("cat", file, "--name", "a", "--slice", "2").failsWith(DatasetError.BAD_SELECTION, file);
    Cli.run("cat", file, "--name", "a", "--slice", "0,0,0")
        .failsWith(DatasetError.BAD_SELECTION, "x.safetensors");
    Cli.run("cat", folder.resolve("none"), "--name", "a").failsWith(FileError.NOT_FOUND, "none");
    for (String wrong :
        List.of(
            "--name a --slice 0:2:1",
            "--name a --layer 3",
            "--name a --key b",
            "--example 0 --slice 1",
            "--slice 1")) {
      Cli.run("cat", file, wrong.split(" ")).failsAsUsage();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BOOL,0001,false true",
    "I8,80ff,-128 -1",
    "I16,0080,-32768",
    "U16,ffff,65535",
    "I32,ffffffff,-1",
    "U32,ffffffff,4294967295",
    "I64,ffffffffffffffff,-1",
    "U64,ffffffffffffffff,18446744073709551615",
    "F64,182d4454fb210940,3.141592653589793",
    "F16,0100007cff7b,5.9604645E-8 Infinity 65504.0",
    "BF16,80ff803f,-Infinity 1.0",
    "C64,0000803f000000c0,1.0-2.0j",
    "C64,000080bf00000040,-1.0+2.0j",
    "F8_E8M0,007f80ff,5.877472E-39 1.0 2.0 NaN",
    "F8_E4M3,01387e7fb8,0.001953125 1.0 448.0 NaN -1.0",
    "F8_E5M2,013c7b7cfc7d,1.5258789E-5 1.0 57344.0 Infinity -Infinity NaN",
    "F8_E4M3FNUZ,01407f80,9.765625E-4 1.0 240.0 NaN",
    "F8_E5M2FNUZ,01407f80,7.6293945E-6 1.0 57344.0 NaN",
  })
  void numbersArePrintedExactly(String dtype, String hex, String numbers) throws IOException {
    Path other = number(dtype, HexFormat.of().parseHex(hex));
    assertThat(Cli.run("cat", other, "--name", "n").succeeds().text()).isEqualTo(numbers + "\n");
    JsonNode json = Cli.run("cat", other, "--name", "n", "--json").succeeds().json();
    assertThat(json.get("values")).hasSize(numbers.split(" ").length);
    assertThat(Cli.run("cat", other, "--name", "n", "--format", "hex").text())
        .isEqualTo(hex + "\n");
  }

  @Test
  void packedNumbersAreOnlyPrintedAsBytes() throws IOException {
    Path other = folder.resolve("packed");
    SmallFile.write(other, "{\"n\":{\"dtype\":\"F4\",\"shape\":[2,3],\"data_offsets\":[0,3]}}", 3);
    assertThat(Cli.run("cat", other, "--name", "n", "--format", "hex").succeeds().text())
        .isEqualTo("000102\n");
    Cli.run("cat", other, "--name", "n")
        .failsWith(DatasetError.NOT_CONVERTIBLE, "packed: tensor \"n\"");
    Cli.run("cat", other, "--name", "n", "--format", "npy")
        .failsWith(DatasetError.NOT_CONVERTIBLE, "packed: tensor \"n\"");
  }

  private Path number(String dtype, byte[] bytes) throws IOException {
    int size =
        switch (dtype) {
          case "I16", "U16", "F16", "BF16" -> 2;
          case "I32", "U32" -> 4;
          case "I64", "U64", "F64", "C64" -> 8;
          default -> 1;
        };
    Path other = folder.resolve("number");
    SmallFile.write(
        other,
        "{\"n\":{\"dtype\":\"%s\",\"shape\":[%d],\"data_offsets\":[0,%d]}}"
            .formatted(dtype, bytes.length / size, bytes.length),
        bytes.length);
    byte[] all = Files.readAllBytes(other);
    System.arraycopy(bytes, 0, all, all.length - bytes.length, bytes.length);
    return Files.write(other, all);
  }

  @Test
  void aModelIsReportedFileByFile() throws IOException {
    Path model = Files.createDirectory(folder.resolve("model"));
    SmallFile.ofThree(model.resolve("m-1.safetensors"), "b", "a");
    SmallFile.ofThree(model.resolve("m-2.safetensors"), "c");
    Path index = model.resolve("model.safetensors.index.json");
    Files.writeString(
        index,
        "{\"metadata\":{\"total_size\":8},\"weight_map\":{\"a\":\"m-1.safetensors\",\"b\":"
            + "\"m-1.safetensors\",\"c\":\"m-2.safetensors\"}}");
    assertThat(report(model))
        .startsWith(
            "{\"schema\":1,\"path\":\""
                + model
                + "\",\"format\":\"safetensors\",\"bytes\":"
                + (Files.size(model.resolve("m-1.safetensors"))
                    + Files.size(model.resolve("m-2.safetensors")))
                + ",\"tensors\":[{\"name\":\"b\",\"dtype\":\"uint8\",\"stored_dtype\":\"U8\",\"shape\":[3],"
                + "\"bytes\":3,\"data_offsets\":[0,3],\"file\":\"m-1.safetensors\"},")
        .endsWith(
            "\"file\":\"m-2.safetensors\"}],\"bytes_of_values\":9,\"metadata\":{\"total_size\":8},\"warnings\":["
                + "\"total_size is 8, but the tensors have 9 bytes\"]}");
    assertThat(Cli.run("inspect", index).succeeds().text().lines())
        .contains("tensors              3", "warnings             1");
    assertThat(Cli.run("cat", model, "--name", "a").succeeds().text()).isEqualTo("3 4 5\n");
    Cli.run("verify", model, "--structure").findsNoProblem();
    Files.delete(model.resolve("m-2.safetensors"));
    Cli.run("inspect", model).failsWith(TensorIndexError.MODEL_MISMATCH, "m-2.safetensors");
    assertThat(Cli.run("verify", model, "--structure").exitCode()).isEqualTo(1);
    Files.writeString(index, "{\"weight_map\":{\"a\":\"../x\"}}");
    Cli.run("inspect", model)
        .failsWith(TensorIndexError.BAD_MODEL_INDEX, "model.safetensors.index.json");
    assertThat(Cli.run("verify", model, "--structure").text()).contains("`../x`");
  }

  @Test
  void catFindsAKeyThroughTheIndex() throws IOException {
    Path source = Fixtures.small();
    Path out = convert(source, "out", "safetensors --kv");
    String hex = Cli.run("cat", source, "--example", 3, "--layer", 21, "--format", "hex").text();
    Object[] cat = {"cat", out, "--key", "3__layer_21", "--format", "hex"};
    String rows = Cli.run(cat).succeeds().text();
    assertThat(rows.lines()).hasSize(10);
    assertThat(hex.replaceAll("(?m)^3 21 \\d+ ", "")).isEqualTo(rows);
    Cli.run("cat", out, "--key", "3")
        .failsWith(TensorIndexError.NO_SUCH_TENSOR, "_tensor_index.parquet");
    Files.delete(out.resolve("_tensor_index.parquet"));
    assertThat(Cli.run(cat).succeeds().text()).isEqualTo(rows);
    Cli.run("cat", source, "--key", "3").failsWith(DatasetError.UNSUPPORTED, source);
    JsonNode report = Cli.run("inspect", out, "--json").json();
    assertThat(report.get("layers").toString()).isEqualTo("[13,21,23]");
  }
}
