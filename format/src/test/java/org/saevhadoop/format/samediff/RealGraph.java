package org.saevhadoop.format.samediff;

import static org.saevhadoop.format.samediff.RuleLevel.rule;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.saevhadoop.format.samediff.FlatBuffer.Table;

/**
 * The FlatBuffer of an SDNB file, in the tables of deeplearning4j's graph.fbs. All fields of the
 * tables are read, as the Verifier reads them; of nodes and states of updaters, which only networks
 * have, just the beginning.
 *
 * @param variables in their order
 * @param metadata by key
 */
record RealGraph(List<Variable> variables, Map<String, String> metadata) {
  /** Types of variables. */
  static final int VARIABLE = 0;

  static final int CONSTANT = 1;
  private static final int SEQUENCE = 4;

  /**
   * A variable.
   *
   * @param id the number, and the index of the output
   * @param shape null if it is not known
   * @param array null if the file does not hold its values
   */
  record Variable(
      int id, int output, String name, int dtype, List<Long> shape, Stub array, int type) {
    boolean hasValues() {
      return type == VARIABLE || type == CONSTANT;
    }
  }

  /**
   * A FlatArray.
   *
   * @param buffer the values; null if there are none or they are appended
   * @param isFortran whether the first index varies fastest
   * @param total the declared size; 0 if it is not declared
   * @param offset the position of the values after the first appended byte
   * @param length the size of the values; 0 if they are not appended
   */
  record Stub(
      List<Long> shape,
      ByteBuffer buffer,
      int dtype,
      boolean isFortran,
      long total,
      long offset,
      long length) {}

  static RealGraph read(FlatBuffer buffer, RuleLevel level) {
    Table graph = buffer.root();
    graph.int64(0);
    rule(graph.has(1), "there is a vector of variables", "none");
    List<Variable> variables = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Table table : graph.tables(1)) {
      Variable variable = variable(table, level);
      rule(names.add(variable.name), "names of variables are unique", variable.name);
      level.ours(
          variable.id == variables.size() + 1 && variable.output == 0,
          "ids are {1, 0}, {2, 0} ...",
          variable);
      variables.add(variable);
    }
    // GetNodes()->size() without a check, in C++
    rule(graph.has(2), "there is a vector of nodes, which may be empty", "none");
    level.ours(graph.tables(2).isEmpty(), "there are no nodes", graph.tables(2).size());
    readRest(graph, level);
    return new RealGraph(variables, metadata(graph, level));
  }

  private static void readRest(Table graph, RuleLevel level) {
    graph.tables(3).forEach(RealGraph::readPair);
    Table configuration = graph.table(4);
    if (configuration != null) {
      configuration.int64(0);
      for (int i : new int[] {1, 2, 3, 7}) {
        configuration.int8(i);
      }
      configuration.int8(4);
      configuration.int64(5);
      configuration.int64(6);
    }
    graph.strings(5);
    graph.strings(6);
    level.ours(graph.string(7) == null, "there is no training", graph.string(7));
    level.ours(graph.tables(8).isEmpty(), "there are no updaters", graph.tables(8).size());
    for (Table instance : graph.tables(11)) {
      level.ours(false, "there are no other instances", instance.string(0));
      instance.int8s(1);
    }
  }

  private static Map<String, String> metadata(Table graph, RuleLevel level) {
    List<String> keys = graph.strings(9);
    List<String> values = graph.strings(10);
    level.ours(keys != null && values != null, "there are metadata", keys + " " + values);
    int count = keys == null ? 0 : keys.size();
    rule(
        count == (values == null ? 0 : values.size()),
        "each metadata key has a value",
        keys + " " + values);
    Map<String, String> metadata = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String previous = metadata.put(keys.get(i), values.get(i));
      level.ours(previous == null, "metadata keys are unique", keys.get(i));
    }
    return metadata;
  }

  private static Variable variable(Table table, RuleLevel level) {
    Table id = table.table(0);
    rule(id != null, "a variable has an id", table.string(1));
    readPair(id);
    String name = table.string(1);
    rule(name != null && !name.isEmpty(), "a variable has a name", name);
    int type = table.int8(6);
    rule(type >= VARIABLE && type <= SEQUENCE, "the type of a variable is known", type);
    Table array = table.table(4);
    Variable variable =
        new Variable(
            id.int32(0),
            id.int32(1),
            name,
            table.int8(2),
            table.int64s(3),
            array == null ? null : stub(array, name),
            type);
    rule(
        variable.array == null || variable.hasValues(),
        "only variables and constants have values",
        variable);
    level.ours(table.int32(5) == -1, "the device is -1", table.int32(5));
    level.ours(variable.hasValues(), "there are only variables and constants", variable);
    for (int i = 7; i <= 9; i++) {
      table.strings(i);
    }
    return variable;
  }

  private static void readPair(Table pair) {
    pair.int32(0);
    pair.int32(1);
  }

  private static Stub stub(Table table, String name) {
    rule(table.tables(4).isEmpty(), "no array is divided into chunks", name);
    rule(table.int8(7) == 0 && table.strings(6) == null, "no array is in another file", name);
    List<Long> shape = table.int64s(0);
    rule(shape != null, "an array has a shape", name);
    int order = table.int8(3);
    rule(order == 0 || order == 1, "the order of an array is c or f", name + " " + order);
    return new Stub(
        shape,
        table.int8s(1),
        table.int8(2),
        order == 1,
        table.int64(5),
        table.int64(8),
        table.int64(9));
  }
}
