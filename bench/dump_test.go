package bench
import ("testing";"context";"fmt";"os";"math/rand/v2";"strconv";"time";"slices"
"github.com/jackc/pgx/v5/pgconn";"github.com/jackc/pgx/v5/pgxpool")
const full0 = `SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 pg_catalog.set_config('statement_timeout', $2, true),
 pg_catalog.set_config('lock_timeout', $3, true),
 pg_catalog.set_config('search_path', $4, true),
 pg_catalog.set_config('TimeZone', 'UTC', true),
 CASE WHEN pg_catalog.current_setting('DateStyle') <> 'ISO, MDY' THEN pg_catalog.set_config('DateStyle', 'ISO, MDY', true) END,
 CASE WHEN pg_catalog.current_setting('IntervalStyle') <> 'postgres' THEN pg_catalog.set_config('IntervalStyle', 'postgres', true) END,
 CASE WHEN pg_catalog.current_setting('extra_float_digits') <> '1' THEN pg_catalog.set_config('extra_float_digits', '1', true) END,
 CASE WHEN pg_catalog.current_setting('bytea_output') <> 'hex' THEN pg_catalog.set_config('bytea_output', 'hex', true) END,
 CASE WHEN pg_catalog.current_setting('xmlbinary') <> 'base64' THEN pg_catalog.set_config('xmlbinary', 'base64', true) END,
 CASE WHEN pg_catalog.current_setting('lc_monetary') <> 'C' THEN pg_catalog.set_config('lc_monetary', 'C', true) END`
var sqls = []struct{n, s string; a []string; conn string}{
 {"0generic","",nil,"SET plan_cache_mode=force_generic_plan"},
 {"0none","",nil,""},
 {"1select1","SELECT 1",nil,""},
 {"2tenant","SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true)",[]string{"17"},""},
 {"3tenant+ro","SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),pg_catalog.set_config('transaction_read_only', 'on', true)",[]string{"17"},""},
 {"4+stmt","SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),pg_catalog.set_config('transaction_read_only', 'on', true),pg_catalog.set_config('statement_timeout', $2, true)",[]string{"17","5000"},""},
 {"5+lock","SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),pg_catalog.set_config('transaction_read_only', 'on', true),pg_catalog.set_config('statement_timeout', $2, true),pg_catalog.set_config('lock_timeout', $3, true)",[]string{"17","5000","500"},""},
 {"6+path","SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),pg_catalog.set_config('transaction_read_only', 'on', true),pg_catalog.set_config('statement_timeout', $2, true),pg_catalog.set_config('lock_timeout', $3, true),pg_catalog.set_config('search_path', $4, true)",[]string{"17","5000","500",`pg_catalog, "public"`},""},
 {"7+tz","SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),pg_catalog.set_config('transaction_read_only', 'on', true),pg_catalog.set_config('statement_timeout', $2, true),pg_catalog.set_config('lock_timeout', $3, true),pg_catalog.set_config('search_path', $4, true),pg_catalog.set_config('TimeZone', 'UTC', true)",[]string{"17","5000","500",`pg_catalog, "public"`},""},
 {"8full",full0,[]string{"17","5000","500",`pg_catalog, "public"`},""},
 {"9case", `SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 CASE WHEN pg_catalog.current_setting('statement_timeout') <> $2 THEN pg_catalog.set_config('statement_timeout', $2, true) END,
 CASE WHEN pg_catalog.current_setting('lock_timeout') <> $3 THEN pg_catalog.set_config('lock_timeout', $3, true) END,
 CASE WHEN pg_catalog.current_setting('search_path') <> $4 THEN pg_catalog.set_config('search_path', $4, true) END,
 CASE WHEN pg_catalog.current_setting('TimeZone') <> 'UTC' THEN pg_catalog.set_config('TimeZone', 'UTC', true) END,
 CASE WHEN pg_catalog.current_setting('DateStyle') <> 'ISO, MDY' THEN pg_catalog.set_config('DateStyle', 'ISO, MDY', true) END,
 CASE WHEN pg_catalog.current_setting('IntervalStyle') <> 'postgres' THEN pg_catalog.set_config('IntervalStyle', 'postgres', true) END,
 CASE WHEN pg_catalog.current_setting('extra_float_digits') <> '1' THEN pg_catalog.set_config('extra_float_digits', '1', true) END,
 CASE WHEN pg_catalog.current_setting('bytea_output') <> 'hex' THEN pg_catalog.set_config('bytea_output', 'hex', true) END,
 CASE WHEN pg_catalog.current_setting('xmlbinary') <> 'base64' THEN pg_catalog.set_config('xmlbinary', 'base64', true) END,
 CASE WHEN pg_catalog.current_setting('lc_monetary') <> 'C' THEN pg_catalog.set_config('lc_monetary', 'C', true) END`,[]string{"17","5s","500ms",`pg_catalog, "public"`},
 `SET statement_timeout=5000; SET lock_timeout=500; SET search_path=pg_catalog,"public"; SET TimeZone='UTC'; SET lc_monetary='C'`},
 {"B9case+dbl", `SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 CASE WHEN pg_catalog.current_setting('statement_timeout') <> $2 OR pg_catalog.current_setting('lock_timeout') <> $3 OR pg_catalog.current_setting('search_path') <> $4
 OR pg_catalog.current_setting('TimeZone') <> 'UTC' OR pg_catalog.current_setting('DateStyle') <> 'ISO, MDY' OR pg_catalog.current_setting('IntervalStyle') <> 'postgres'
 OR pg_catalog.current_setting('extra_float_digits') <> '1' OR pg_catalog.current_setting('bytea_output') <> 'hex' OR pg_catalog.current_setting('xmlbinary') <> 'base64'
 OR pg_catalog.current_setting('lc_monetary') <> 'C' THEN 'x' END`,[]string{"17","5s","500ms",`pg_catalog, "public"`},
 `SET statement_timeout=5000; SET lock_timeout=500; SET search_path=pg_catalog,"public"; SET TimeZone='UTC'; SET lc_monetary='C'`},
 {"A7conn", `SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 CASE WHEN pg_catalog.current_setting('statement_timeout') <> $2 THEN pg_catalog.set_config('statement_timeout', $2, true) END,
 CASE WHEN pg_catalog.current_setting('lock_timeout') <> $3 THEN pg_catalog.set_config('lock_timeout', $3, true) END,
 CASE WHEN pg_catalog.current_setting('search_path') <> $4 THEN pg_catalog.set_config('search_path', $4, true) END,
 CASE WHEN pg_catalog.current_setting('TimeZone') <> 'UTC' THEN pg_catalog.set_config('TimeZone', 'UTC', true) END`,[]string{"17","5s","500ms",`pg_catalog, "public"`},
 `SET statement_timeout=5000; SET lock_timeout=500; SET search_path=pg_catalog,"public"; SET TimeZone='UTC'; SET lc_monetary='C'`},
}
func TestSettings(t *testing.T){
 ctx:=context.Background()
 rounds,_:=strconv.Atoi(os.Getenv("ROUNDS")); if rounds==0 {rounds=15}
 o:=(&Options{Database:"bench", Slice:40*time.Millisecond, Workers:2}).withDefaults()
 d,err:=open(ctx,o); if err!=nil {t.Fatal(err)}
 b,err:=newBench(ctx,d,o); if err!=nil {t.Fatal(err)}
 q,err:=b.recorded(ctx,page(25)); if err!=nil {t.Fatal(err)}
 var ways []way
 for _,s:=range sqls {
  cfg,_:=b.config()
  if s.conn!="" { cfg.ConnConfig.RuntimeParams=map[string]string{}; c:=s.conn; cfg.ConnConfig.AfterConnect=func(ctx context.Context, pg *pgconn.PgConn) error { _,err:=pg.Exec(ctx,c).ReadAll(); return err } }
  pool,_:=pgxpool.NewWithConfig(ctx,cfg)
  ways=append(ways,way{s.n,func(ctx context.Context,r *rand.Rand) error {
   conn,err:=pool.Acquire(ctx); if err!=nil {return err}; defer conn.Release()
   pg:=conn.Conn().PgConn()
   batch:=&pgconn.Batch{}
   if s.s!="" { sd,err:=prepared(ctx,pg,s.s); if err!=nil {return err}
    var v [][]byte; for _,a:=range s.a {v=append(v,[]byte(a))}
    batch.ExecStatement(sd,v,nil,nil) }
   sd,err:=prepared(ctx,pg,q.sql); if err!=nil {return err}
   batch.ExecStatement(sd,[][]byte{[]byte(strconv.Itoa(1+r.IntN(1000))),[]byte("26")},nil,[]int16{1,1,0,0,1,1,0,0,1,1,0})
   res:=pg.ExecBatch(ctx,batch)
   for res.NextResult() { rr:=res.ResultReader(); for rr.NextRow() {}; if _,err:=rr.Close(); err!=nil {return err} }
   return res.Close()
  }})
 }
 s,err:=b.meter.rounds(ctx,rounds,ways); if err!=nil {t.Fatal(err)}
 for _,w:=range ways { x:=each(s[w.name],serverCPU); y:=each(s[w.name],appCPU)
  slices.Sort(x);slices.Sort(y); p:=len(x)/10
 fmt.Printf("%-12s ratio %.3f server min %.1f med %.1f app min %.1f med %.1f\n",w.name,ratio(s[w.name],s["0none"],serverCPU),x[p],median(x),y[p],median(y)) }
}
