package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.tensor.DType;

/** Results are records, and their components the keys of JSON. */
class JsonOutputTest {
  private record Inner(Integer lastToken, String none) {}

  private record Result(
      String path,
      @JsonUnwrapped Inner inner,
      @JsonUnwrapped Map<String, Inner> kinds,
      @JsonIgnore int internal,
      @JsonInclude Long unknown,
      double mean,
      @JsonInclude double maxAbs,
      float narrow,
      BigInteger maxUlp,
      DType dtypeA,
      Thread.State state,
      double[] figures,
      Map<Double, Double> quantiles,
      List<Inner> items) {}

  @Test
  void componentsAreKeysInTheirOrder() throws Exception {
    Map<Double, Double> quantiles = new TreeMap<>(Map.of(0.5, 2.0, 0.75, Double.NaN));
    Result result =
        new Result(
            "/\u00e9\ud800",
            new Inner(7, null),
            Map.of("plain", new Inner(8, "x")),
            1,
            null,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            5.0490885E19f,
            BigInteger.ONE.shiftLeft(64),
            DType.F32,
            Thread.State.NEW,
            new double[] {1, Double.NaN},
            quantiles,
            List.of());
    StringWriter out = new StringWriter();
    JsonOutput.print(result, new PrintWriter(out));
    assertThat(out.toString())
        .isEqualTo(
            """
            {
              "schema" : 1,
              "path" : "/\\u00E9\\uD800",
              "last_token" : 7,
              "plain" : {
                "last_token" : 8,
                "none" : "x"
              },
              "unknown" : null,
              "max_abs" : "Infinity",
              "narrow" : 5.0490884999999996E19,
              "max_ulp" : 18446744073709551616,
              "dtype_a" : "float32",
              "state" : "new",
              "figures" : [ 1.0, "NaN" ],
              "quantiles" : {
                "0.5" : 2.0
              },
              "items" : [ ]
            }
            """);
  }
}
